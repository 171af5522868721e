import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../../src/settings/settings.ts'

const root = join(import.meta.dirname, '../..')

/** The words of every source outside the settings themselves and what is generated. */
function wordsOfSources(): Set<string> {
  const files = ['src', 'handlers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  )
  const read = files.filter(
    (file) => /\.tsx?$/.test(file) && !/^src\/(settings|generated)\//.test(file),
  )
  return new Set(read.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\w+/g) ?? []))
}

test('every setting is read somewhere', () => {
  const words = wordsOfSources()
  expect(Object.keys(settings).filter((name) => !words.has(name))).toEqual([])
})
