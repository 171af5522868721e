// npm run drill [-- <name> …]: starts the real parts, breaks them under a mixed load, and prints what
// became of it. Without names, all of them. A drill whose program is not installed says so and fails.
import { drills } from './drills/drills.ts'
import { isHeld } from './drills/drill.ts'

async function main(names: string[]): Promise<boolean> {
  const unknown = names.filter((name) => !drills.some((drill) => drill.name === name))
  if (unknown.length > 0)
    throw new Error(`There are: ${drills.map(({ name }) => name).join(', ')}.`)
  let all = true
  const rows: Record<string, string | number>[] = []
  for (const drill of drills.filter(({ name }) => names.length === 0 || names.includes(name))) {
    console.log(`${drill.name}: ${drill.about}`)
    try {
      const outcome = await drill.run()
      const held = isHeld(drill, outcome)
      all &&= held
      const row = {
        drill: drill.name,
        calls: outcome.calls,
        refused: outcome.refused,
        failed: outcome.failed.length,
        lost: outcome.lost,
        miscounted: outcome.miscounted,
        wallets: outcome.wallets,
        'recovered after': `${outcome.recoverySeconds} s`,
        '': held ? 'held' : 'BROKEN',
      }
      rows.push(row)
      console.log(
        `  ${Object.entries(row)
          .map(([name, value]) => `${name} ${value}`)
          .join(', ')}`,
      )
      for (const failure of outcome.failed.slice(0, 10)) console.log(`  ${failure}`)
    } catch (error) {
      all = false
      console.log(`  ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  console.table(rows)
  return all
}

main(process.argv.slice(2)).then(
  (held) => {
    process.exitCode = held ? 0 : 1
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  },
)
