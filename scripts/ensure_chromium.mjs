import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What the browser is called, by whoever has packaged it. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macApp = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

const whatToDo = [
  'The tests of the pages need Chromium, and none was found.',
  'On Debian or Ubuntu: sudo apt-get install chromium',
  'Elsewhere: install Chromium or Chrome, and set CHROMIUM_PATH to its executable.',
].join('\n')

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function findChromium() {
  const given = process.env.CHROMIUM_PATH
  if (given) return given
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [...paths, macApp].find(isExecutable)
}

/** Only root may install, and only where Debian's own tool is. Another install is waited for. */
function installChromium() {
  if (process.getuid?.() !== 0) return
  const apt = (...given) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', ...given], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    }).status === 0
  const install = ['install', '-y', '--no-install-recommends', 'chromium']
  console.error('Installing Chromium for the tests of the pages. This happens once …')
  if (!apt(...install) && apt('update')) apt(...install)
}

/** Where Chromium is, installed first on a Debian machine that has none. */
export function ensureChromium() {
  const found = findChromium()
  if (found !== undefined) return found
  installChromium()
  const installed = findChromium()
  if (installed === undefined) throw new Error(whatToDo)
  return installed
}
