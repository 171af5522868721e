import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { farOff } from '../../scripts/draw_house.ts'

const root = join(import.meta.dirname, '../..')
const textOf = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')
const foldersIn = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

test('the picture of the house has every floor and every wing', () => {
  const picture = textOf('.github', 'house.svg')
  const folders = ['src', 'src/domain', 'src/queries', 'src/surfaces', 'src/site'].flatMap(
    foldersIn,
  )
  expect(folders.filter((name) => !picture.includes(`>${name}<`))).toEqual([])
})

test('its counts are about those of the house', () => {
  expect(farOff()).toEqual([])
  const picture = textOf('.github', 'house.svg')
  const wrong = picture.replace(/(?<= class="counts">)\d+ · [\d,]+/, '9,999 · 9,999')
  expect(farOff(wrong)).toEqual([expect.stringMatching(/^9999 · 9999, and not \d+ · \d+$/)])
})

test('the life of a request names files that are there', () => {
  const sections = textOf('.github', 'guides', 'life_of_a_request.md').split('\n## ')
  const missing = sections.flatMap((section) => {
    const [, ownFolder = ''] = section.match(/Short names are in\s+`([^`]+)`/) ?? []
    const places = [ownFolder, 'src/surfaces/', '']
    const names = [...section.matchAll(/`([\w./]+\.tsx?)`/g)].map(([, name]) => name!)
    return names.filter((name) => !places.some((place) => existsSync(join(root, place, name))))
  })
  expect(missing).toEqual([])
})

test('the decisions are read in twenty minutes', () => {
  /** Of a grown-up reader of plain prose. */
  const wordsAMinute = 230
  const words = textOf('DECISIONS.md').split(/\s+/).length
  expect(Math.floor(words / wordsAMinute)).toBeLessThanOrEqual(20)
})
