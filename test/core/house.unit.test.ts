import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const notOurs = ['node_modules', 'generated']

/** The files that people write, by their path from the root. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return notOurs.includes(entry.name) ? [] : filesIn(path)
    return /\.(?:ts|tsx|mjs|css)$/.test(entry.name) ? [path] : []
  })
}
const files = ['codegen', 'handlers', 'scripts', 'src', 'test'].flatMap(filesIn)

/** One file a tag, and one for every step of the schema. */
const growing = ['handlers', join('src', 'db', 'migrations')]

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const linesIn = (file: string) => read(file).split('\n').length - 1
const sources = files.filter((file) => /^(?:codegen|handlers|src)\b/.test(file))

const exportedType = /^export (?:interface|type) (\w+)/gm
/** Types of a file, exported or not; a schema of the contract may be called by its name in each. */
const ownType =
  /^(?:export )?(?:interface|type) (\w+)(?!.* = (?:Schemas\[|components\['schemas'\]))/gm

test('no file is longer than 300 lines, and no test longer than 400', () => {
  const limitOf = (file: string) => (file.startsWith('test') ? 400 : 300)
  expect(files.filter((file) => linesIn(file) > limitOf(file))).toEqual([])
})

test('no folder has more than 24 files', () => {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const full = [...counts].filter(([, count]) => count > 24).map(([folder]) => folder)
  expect(full.filter((folder) => !growing.includes(folder))).toEqual([])
})

/** Where each name stands that the pattern finds in a file. */
function placesOf(pattern: RegExp): [name: string, files: string[]][] {
  const places = new Map<string, string[]>()
  for (const file of sources)
    for (const [, name] of read(file).matchAll(pattern))
      places.set(name!, [...(places.get(name!) ?? []), file])
  return [...places]
}

test('no two exported types have one name', () => {
  expect(placesOf(exportedType).filter(([, found]) => found.length > 1)).toEqual([])
})

test('no name stands for types of three files, but for schemas of the contract', () => {
  expect(placesOf(ownType).filter(([, found]) => found.length > 2)).toEqual([])
})

test("no type has the name of one of TypeScript's own", () => {
  const library = createRequire(import.meta.url).resolve('typescript/lib/lib.es5.d.ts')
  const names = readFileSync(library, 'utf8').matchAll(/^type (\w+)</gm)
  const own = new Set(Array.from(names, ([, name]) => name))
  expect(own).toContain('Parameters')
  expect(placesOf(ownType).filter(([name]) => own.has(name))).toEqual([])
})

/** A whole statement, or one that is executed as it stands; mere fragments of SQL are not meant. */
const rawStatement =
  /\bsql(?:<[^`]*?>)?`(?:\s*(?:select|with|insert|update|delete)\b|[^`$]*`\s*\.execute\()/

test('every file with raw SQL says why', () => {
  const sources = files.filter(
    (file) => file.startsWith('src') && !file.startsWith(join('src', 'db', 'migrations')),
  )
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
  const raw = sources.filter((file) => rawStatement.test(textOf(file)))
  expect(raw).not.toEqual([])
  expect(raw.filter((file) => !/\bRaw SQL: \w/.test(textOf(file)))).toEqual([])
})
