import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { ensureChromium } from '../../scripts/ensure_chromium.mjs'

/** A machine whose PATH is one folder, initially empty. */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'machine-'))
  return () => rmSync(folder, { recursive: true })
})

const debianName = 'chromium-headless-shell'
const pathTo = (name: string) => join(folder, name)

function givenProgram(name: string, script = ''): string {
  writeFileSync(pathTo(name), `#!/bin/sh\n${script}`)
  chmodSync(pathTo(name), 0o755)
  return pathTo(name)
}

/** A fake apt-get that records its arguments and installs only if it has package lists. */
function givenApt({ knowsPackages }: { knowsPackages: boolean }): void {
  if (knowsPackages) mkdirSync(pathTo('lists'))
  const install = `[ -d ${pathTo('lists')} ] && : > ${pathTo(debianName)} && /bin/chmod 755 ${pathTo(debianName)}`
  const script = `
    shift 2
    echo "$@" >> ${pathTo('told')}
    case "$1" in
      update) /bin/mkdir ${pathTo('lists')} ;;
      install) ${install} ;;
    esac`
  givenProgram('apt-get', script)
}

const commands = () =>
  existsSync(pathTo('told')) ? readFileSync(pathTo('told'), 'utf8').trim().split('\n') : []

const ensure = ({ isRoot = true, env = {} } = {}) =>
  ensureChromium({ env: { PATH: folder, ...env }, isRoot, apps: [] })

const install = `install -y --no-install-recommends ${debianName}`

describe('the browser for tests', () => {
  test.each(['chromium', 'google-chrome'])('is %s if the machine has it', (name) => {
    const program = givenProgram(name)
    givenApt({ knowsPackages: true })
    expect([ensure(), commands()]).toEqual([program, []])
  })

  test('is the one without a screen if the machine has both: it is faster', () => {
    givenProgram('chromium')
    expect(ensure()).toBe(pathTo('chromium'))
    expect([givenProgram(debianName), ensure()]).toEqual([pathTo(debianName), pathTo(debianName)])
  })

  test('is preferably the one that CHROMIUM_PATH names', () => {
    givenProgram('chromium')
    const CHROMIUM_PATH = givenProgram('another')
    expect(ensure({ env: { CHROMIUM_PATH } })).toBe(CHROMIUM_PATH)
  })

  test('is refused if CHROMIUM_PATH does not name a program', () => {
    givenProgram('chromium')
    const env = { CHROMIUM_PATH: pathTo('nothing') }
    expect(() => ensure({ env })).toThrow(
      `CHROMIUM_PATH is ${pathTo('nothing')}, which is not an executable file.`,
    )
  })

  test('is installed by root on Debian, only once', () => {
    givenApt({ knowsPackages: true })
    expect([ensure(), ensure(), commands()]).toEqual([
      pathTo(debianName),
      pathTo(debianName),
      [install],
    ])
  })

  test('is installed on a machine without package lists, too', () => {
    givenApt({ knowsPackages: false })
    expect([ensure(), commands()]).toEqual([pathTo(debianName), [install, 'update', install]])
  })

  test.each([
    ['without root', false, true],
    ['without apt-get', true, false],
  ])('is requested in a message %s, and nothing is tried', (_where, isRoot, hasApt) => {
    if (hasApt) givenApt({ knowsPackages: true })
    const attempt = () => ensure({ isRoot })
    expect(attempt).toThrow(`On Debian: sudo apt-get install ${debianName}`)
    expect(attempt).toThrow('Elsewhere: install Chromium or Chrome')
    expect(commands()).toEqual([])
  })
})
