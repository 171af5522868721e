import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary data folder that the database's own user can pass through when we are root. */
export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
  await chmod(folder, 0o711)
  return folder
}
