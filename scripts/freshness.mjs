import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * A hash of files and whole folders, by project path. Uses content, not timestamps: in a fresh
 * clone every file is equally new.
 */
export function hashOf(paths, isMeant = () => true) {
  const hash = createHash('sha256')
  const files = paths.flatMap(filesAt).filter((path) => !isDraft(path) && isMeant(path))
  for (const path of files.sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

/** Whether another process is writing the file, and will rename it: `openapi.json.4711`. */
const isDraft = (path) => /\.\d+$/.test(path)

/** Missing files are skipped. */
function filesAt(path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat ? [path] : []
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesAt(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
  )
}

const stampFile = (name) => join(root, 'dist', `${name}.sha256`)

/** Whether the last build had this hash. */
export function isStamped(name, hash) {
  try {
    return readFileSync(stampFile(name), 'utf8') === hash
  } catch {
    return false
  }
}

export function stamp(name, hash) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stampFile(name), hash)
}

/** Call before a rebuild: an interrupted one must not count as complete. */
export function unstamp(name) {
  rmSync(stampFile(name), { force: true })
}
