import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * A hash of files and of whole folders, by their paths in the project. Content rather than times: a
 * clone gives every file the time of the clone.
 */
export function hashOf(paths, isMeant = () => true) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesAt).filter(isMeant).sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

/** A file that is not there has no part in a hash. */
function filesAt(path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat ? [path] : []
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesAt(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
  )
}

const stampFile = (name) => join(root, 'dist', `${name}.sha256`)

/** Whether something was last made from what has this hash. */
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

/** Before something is made anew: interrupted halfway it must not pass for whole. */
export function unstamp(name) {
  rmSync(stampFile(name), { force: true })
}
