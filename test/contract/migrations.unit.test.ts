import { describe, expect, test } from 'vitest'
import { emitMigrations, migrationProblems } from '../../codegen/migrations.ts'

describe('the list of migrations', () => {
  test('is in the order of their numbers', () => {
    expect(emitMigrations(['0012_late.ts', '0002_early.ts']))
      .toBe(`import type { Migrations } from '../db/migration.ts'
import * as m0002_early from '../db/migrations/0002_early.ts'
import * as m0012_late from '../db/migrations/0012_late.ts'

/** Every migration, in the order it is applied. */
export const migrations: Migrations = {
  '0002_early': m0002_early,
  '0012_late': m0012_late,
}
`)
  })

  test('is refused if two have the same number, or a name has another form', () => {
    expect(migrationProblems(['0002_one.ts', '0001_first.ts'])).toEqual([])
    expect(migrationProblems(['0002_two.ts', '0002_one.ts', 'list.ts', '0003_Three.ts'])).toEqual([
      '0002_one.ts and 0002_two.ts have the same number',
      '0003_Three.ts is not named like 0001_noun.ts',
      'list.ts is not named like 0001_noun.ts',
    ])
  })
})
