import { literal, table } from './literals.ts'

const fileName = /^\d{4}_[a-z][a-z0-9_]*\.ts$/

/** What is wrong with the file names: each has a number of its own, which decides the order. */
export function migrationProblems(files: readonly string[]): string[] {
  const sorted = files.toSorted()
  return sorted.flatMap((file, index) => {
    if (!fileName.test(file)) return `${file} is not named like 0001_noun.ts`
    const before = sorted[index - 1]
    if (before?.slice(0, 4) !== file.slice(0, 4)) return []
    return `${before} and ${file} have the same number`
  })
}

/**
 * Emits the list of all migrations. The service is bundled into one file and has no folder to read
 * when it runs.
 */
export function emitMigrations(files: readonly string[]): string {
  const names = files.toSorted().map((file) => file.replace(/\.ts$/, ''))
  const constantOf = (name: string) => `m${name}`
  return [
    "import type { Migrations } from '../db/migration.ts'",
    ...names.map((name) => `import * as ${constantOf(name)} from '../db/migrations/${name}.ts'`),
    '',
    '/** Every migration, in the order it is applied. */',
    table(
      'migrations',
      names.map((name) => `${literal(name)}: ${constantOf(name)}`),
      'Migrations',
    ),
    '',
  ].join('\n')
}
