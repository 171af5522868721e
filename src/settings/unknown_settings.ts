import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { everySetting } from './settings.ts'

const names = everySetting.map(({ name }) => name)
const nameSet = new Set<string>(names)

const firstWordOf = (name: string) => name.split('_', 1)[0]!

/** Other programs have variables that begin with these, too. */
const commonWords = new Set(['AI', 'API', 'BASE', 'DATA', 'LOG', 'MAIL', 'SECRET', 'WEB'])
const ownWords = new Set(names.map(firstWordOf).filter((word) => !commonWords.has(word)))

/** Kubernetes adds such variables for every service in the namespace, whatever its name. */
const serviceLink = /_SERVICE_(HOST|PORT)|_PORT_\d+_/

/** More letters apart than this, two names are not one misspelt. */
const maxDistance = 3

type GivenVariables = Record<string, string | undefined>

/** Reads .env once more, because its variables look like any other once they are loaded. */
export function warnOfUnknownSettings(env: GivenVariables): void {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  for (const warning of unknownSettings(env, Object.keys(file))) console.warn(warning)
}

/**
 * A sentence for each variable that was probably meant for this service but is not a setting of it:
 * any in its own .env, and in the environment those that are misspelt or begin with a word of ours.
 */
export function unknownSettings(env: GivenVariables, inFile: readonly string[]): string[] {
  return Object.keys(env)
    .filter((name) => env[name] && !nameSet.has(name))
    .filter((name) => inFile.includes(name) || looksLikeOurs(name))
    .sort()
    .map(sentenceFor)
}

function looksLikeOurs(name: string): boolean {
  if (serviceLink.test(name)) return false
  const startsLikeOurs = name.includes('_') && ownWords.has(firstWordOf(name))
  return startsLikeOurs || misspelt(name) !== undefined
}

function sentenceFor(name: string): string {
  const meant = misspelt(name)
  if (meant !== undefined) return `${name} is not a setting. Did you mean ${meant}?`
  const related = names.filter((other) => firstWordOf(other) === firstWordOf(name))
  if (related.length === 0) return `${name} is not a setting and has no effect.`
  return `${name} is not a setting and has no effect. Similar ones: ${related.join(', ')}.`
}

/** The setting that a name is a misspelling of. The shorter the name, the closer it must be. */
function misspelt(name: string): string | undefined {
  const limit = Math.min(maxDistance, Math.floor(name.length / 4))
  const distances = names.map((other) => [distance(name, other), other] as const)
  const [nearest, other] = distances.reduce((best, each) => (each[0] < best[0] ? each : best))
  return nearest <= limit ? other : undefined
}

/** Levenshtein distance: how many letters to add, remove or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
