import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What the browser is called, by whoever has packaged it. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** Where macOS has it, whose programs are on no path. */
const macApps = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const whatToDo = [
  'The tests of the pages need Chromium, and none was found.',
  'On Debian: sudo apt-get install chromium (npm test does it by itself when it is run as root).',
  'Elsewhere: install Chromium or Chrome; where it is not on the PATH, set CHROMIUM_PATH to its program.',
].join('\n')

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function findProgram(wanted, { PATH = '' }) {
  const folders = PATH.split(delimiter).filter(Boolean)
  return folders.flatMap((folder) => wanted.map((name) => join(folder, name))).find(isProgram)
}

function findChromium({ env, apps }) {
  const given = env.CHROMIUM_PATH
  if (!given) return findProgram(names, env) ?? apps.find(isProgram)
  if (isProgram(given)) return given
  throw new Error(`CHROMIUM_PATH is ${given}, which is no program that can be run.`)
}

/** Only root may install, and only where Debian's own tool is. Another install is waited for. */
function installChromium({ env, isRoot }) {
  if (!isRoot || findProgram(['apt-get'], env) === undefined) return
  const apt = (told, ...given) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', ...given], {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', told],
    }).status === 0
  const install = ['install', '-y', '--no-install-recommends', 'chromium']
  console.error('Installing Chromium for the tests of the pages. This happens once …')
  // A new machine knows no package before its first update, which is nothing to be told.
  if (!apt('ignore', ...install) && apt('inherit', 'update')) apt('inherit', ...install)
}

/**
 * Where Chromium is, installed first on a Debian machine that has none.
 * @returns {string}
 */
export function ensureChromium(
  machine = { env: process.env, isRoot: process.getuid?.() === 0, apps: macApps },
) {
  const found = findChromium(machine)
  if (found !== undefined) return found
  installChromium(machine)
  const installed = findChromium(machine)
  if (installed === undefined) throw new Error(whatToDo)
  return installed
}
