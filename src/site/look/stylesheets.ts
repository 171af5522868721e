import { hash } from 'node:crypto'
import { base } from './css/base.ts'
import { beauty } from './css/beauty.ts'
import { boutique } from './css/boutique.ts'
import { customized } from './css/customized.ts'
import { minimal } from './css/minimal.ts'
import { textile } from './css/textile.ts'
import { firstRules, type Top } from './first_rules.ts'
import { fontFaces, standInFaces } from './fonts.ts'

const own: Record<string, string> = { minimal, boutique, beauty, textile, customized }

/** A stylesheet, named by its content. */
export interface Stylesheet {
  path: string
  text: string
  /** Of its rules, those for what a page shows first. */
  first: Record<Top, string>
}

let made: Map<string, Stylesheet> | undefined

/** Made on first use: the fonts come from files that most test processes never read. */
function sheetsByKey(): Map<string, Stylesheet> {
  return (made ??= new Map(Object.keys(own).map((key) => [key, stylesheetFor(key)])))
}

function stylesheetFor(key: string): Stylesheet {
  const text = `${fontFaces()}${base}${own[key] ?? ''}`.replace(/\n/g, '')
  const digest = hash('sha256', text, 'base64url').slice(0, 12)
  return {
    path: `/assets/${key}.${digest}.css`,
    text,
    first: { home: firstRules(text, 'home'), product: firstRules(text, 'product') },
  }
}

export const stylesheets = (): Stylesheet[] => [...sheetsByKey().values()]

/** The stylesheet of a template, with what all share. */
export function stylesheetOf(key: string): Stylesheet {
  return sheetsByKey().get(key) ?? sheetsByKey().get('minimal')!
}

/** The style in a page: colours and fonts of the owner, and what draws the top of it, if that cannot wait. */
export function styleOf(key: string, theme: string, top: Top | undefined): string {
  if (top === undefined) return theme
  // For phones alone: on wider screens they would come after the stylesheet's rules for these, and win.
  const first = `@media(max-width:719px){${stylesheetOf(key).first[top]}}`
  return `${standInFaces(theme)}${first}${theme}`
}
