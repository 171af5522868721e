// node scripts/operator/production_modules.mjs <folder>: copies the packages that a built service loads at run
// time into <folder>/node_modules, with all that these need. Everything else is in dist/.
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadedAtRunTime, servedFromFiles } from '../service_files.mjs'

const root = join(import.meta.dirname, '..', '..')

/** The folder of a package, as seen from another: its own copy, or one further up. */
function find(name, from) {
  for (let folder = from; ; folder = join(folder, '..')) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(found)) return found
    if (folder === root) return undefined
  }
}

/** Folders of packages and of everything they need, as far as it is installed. */
function closure(names) {
  const folders = new Set()
  const visit = (name, from) => {
    const folder = find(name, from)
    if (folder === undefined || folders.has(folder)) return
    folders.add(folder)
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
    } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    for (const each of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
    }))
      visit(each, folder)
  }
  for (const name of names) visit(name, root)
  return folders
}

const [target] = process.argv.slice(2)
if (target === undefined)
  throw new Error('Usage: node scripts/operator/production_modules.mjs <folder>')
// Sources and maps are for developers.
const isNeeded = (path) => !/\.(map|d\.ts|d\.mts|d\.cts|md)$/.test(path)
for (const folder of closure([...loadedAtRunTime, ...servedFromFiles])) {
  const place = resolve(target, folder.slice(root.length + 1))
  mkdirSync(place, { recursive: true })
  // A package inside another's folder is copied by itself, if it is needed.
  const inOwn = (path) => !path.slice(folder.length).includes('/node_modules')
  cpSync(folder, place, { recursive: true, filter: (path) => isNeeded(path) && inOwn(path) })
}
