import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What draws nothing on a screen takes half the time. */
const debianPackage = 'chromium-headless-shell'
/** Names of the browser's program in different packages. */
const names = [
  debianPackage,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
/** On macOS, applications are not on the PATH. */
const macApps = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const whatToDo = [
  'The page tests need Chromium, which was not found.',
  `On Debian: sudo apt-get install ${debianPackage} (npm test installs it when run as root).`,
  'Elsewhere: install Chromium or Chrome; if it is not on the PATH, set CHROMIUM_PATH.',
].join('\n')

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function findProgram(programs, { PATH = '' }) {
  const folders = PATH.split(delimiter).filter(Boolean)
  return folders.flatMap((folder) => programs.map((name) => join(folder, name))).find(isProgram)
}

function findChromium({ env, apps }) {
  const path = env.CHROMIUM_PATH
  if (!path) return findProgram(names, env) ?? apps.find(isProgram)
  if (isProgram(path)) return path
  throw new Error(`CHROMIUM_PATH is ${path}, which is not an executable file.`)
}

/** Installs only as root and only where apt-get exists. Waits for a concurrent install. */
function installChromium({ env, isRoot }) {
  if (!isRoot || findProgram(['apt-get'], env) === undefined) return
  const apt = (stderr, ...args) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', ...args], {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', stderr],
    }).status === 0
  const install = ['install', '-y', '--no-install-recommends', debianPackage]
  console.error('Installing Chromium for the page tests. This happens once …')
  // On a fresh machine the first attempt fails before `apt-get update`, so hide its errors.
  if (!apt('ignore', ...install) && apt('inherit', 'update')) apt('inherit', ...install)
}

/**
 * The path of Chromium. On a Debian machine without it, installs it first.
 * @returns {string}
 */
export function ensureChromium(
  machine = { env: process.env, isRoot: process.getuid?.() === 0, apps: macApps },
) {
  const existing = findChromium(machine)
  if (existing !== undefined) return existing
  installChromium(machine)
  const installed = findChromium(machine)
  if (installed === undefined) throw new Error(whatToDo)
  return installed
}
