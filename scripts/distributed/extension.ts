import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'

/** What Debian calls the parts that the extension is built with. */
const packages =
  'postgresql-15 postgresql-server-dev-15 build-essential flex liblz4-dev libzstd-dev ' +
  'libxml2-dev libkrb5-dev libssl-dev'

/** A message for the person at the terminal. */
export class HarnessError extends Error {}

export interface PostgresPrograms {
  /** The folder of initdb and postgres. */
  bin: string
}

interface Settings {
  pgConfig: string
  /** A tar archive of the extension's sources. */
  source: string | undefined
}

/** Finds PostgreSQL by its pg_config and sees to it that it has the extension. */
export function provideExtension({ pgConfig, source }: Settings): PostgresPrograms {
  if (!existsSync(pgConfig))
    throw new HarnessError(
      `There is no ${pgConfig}. Install PostgreSQL with its headers (Debian: apt-get install ` +
        `${packages}), or set PG_CONFIG to the pg_config of another one.`,
    )
  const library = join(ask(pgConfig, '--pkglibdir'), 'citus.so')
  if (existsSync(library)) console.log(`${library} is there already: not built again.`)
  else install(pgConfig, source)
  return { bin: ask(pgConfig, '--bindir') }
}

function ask(pgConfig: string, option: string): string {
  return run(pgConfig, [option], '/').trim()
}

function install(pgConfig: string, source: string | undefined): void {
  if (source === undefined || !existsSync(source))
    throw new HarnessError('Set CITUS_SOURCE to a tar archive of the sources of Citus.')
  if (!existsSync(join(ask(pgConfig, '--includedir-server'), 'postgres.h')))
    throw new HarnessError(`PostgreSQL has no server headers here: apt-get install ${packages}`)
  const folder = unpack(source)
  console.log(`Builds Citus in ${folder}, which takes about ten minutes.`)
  run('./configure', ['--without-libcurl', `PG_CONFIG=${pgConfig}`], folder)
  run('make', [`-j${availableParallelism()}`], folder)
  run('make', ['install'], folder)
}

/** Unpacks the archive once; a build that was interrupted goes on where it stood. */
function unpack(source: string): string {
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12)
  const folder = join(homedir(), '.cache', 'vitrine', `citus-${hash}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  run('tar', ['-xf', source, '-C', draft], '/')
  const [top, ...others] = readdirSync(draft)
  if (top === undefined || others.length > 0)
    throw new HarnessError(`${source} does not hold one folder of sources.`)
  renameOwnFunction(join(draft, top))
  renameSync(join(draft, top), folder)
  rmSync(draft, { recursive: true })
  return folder
}

/** Some minor versions of PostgreSQL have a function of this name themselves, and some do not. */
function renameOwnFunction(folder: string): void {
  const own = 'citus_have_createdb_privilege'
  const files = {
    'src/include/pg_version_compat.h': [
      [/^have_createdb_privilege\(void\)$/m, `${own}(void)`],
      [/^#define have_createdb_privilege\(\)/m, `#define ${own}()`],
    ],
    'src/backend/distributed/commands/serialize_distributed_ddls.c': [
      [/!have_createdb_privilege\(\)/, `!${own}()`],
    ],
  } satisfies Record<string, [RegExp, string][]>
  for (const [name, changes] of Object.entries(files)) {
    const file = join(folder, name)
    const text = changes.reduce(
      (changed, [from, to]) => changed.replace(from, to),
      readFileSync(file, 'utf8'),
    )
    writeFileSync(file, text)
  }
}

/** Runs a program to its end; throws with the last lines of what it said. */
function run(program: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (status === 0) return stdout
  const said = `${stdout ?? ''}\n${stderr ?? ''}`.trim().split('\n').slice(-12).join('\n')
  throw new HarnessError(`${program} ${args.join(' ')} failed: ${error?.message ?? said}`)
}
