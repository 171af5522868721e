import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTypescript, { astToString } from 'openapi-typescript'

/*
 * npm run client: makes the npm package of a typed client in dist/client, from the public contract and the
 * few files in scripts/client/source. `npm pack` there makes its archive.
 */

const root = join(import.meta.dirname, '..', '..')

interface PublicDocument {
  info: { version: string }
  paths: Record<string, Record<string, { operationId?: string; parameters?: { $ref?: string }[] }>>
}

export async function buildClient(folder = join(root, 'dist', 'client')): Promise<string> {
  const text = readFileSync(join(root, 'src', 'generated', 'openapi.public.json'), 'utf8')
  const document = JSON.parse(text) as PublicDocument
  const source = join(folder, 'source')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(import.meta.dirname, 'source'), source, { recursive: true })
  const schema = astToString(
    await openapiTypescript(document as never, { silent: true, defaultNonNullable: false }),
  )
  writeFileSync(join(source, 'schema.ts'), schema)
  writeFileSync(join(source, 'table.ts'), tableOf(document))
  const settings = {
    compilerOptions: {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.asynciterable'],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      declaration: true,
      rootDir: 'source',
      outDir: '.',
      types: [],
    },
    include: ['source'],
    // Else the folder of the output would be left out, and the sources are in it.
    exclude: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(join(folder, 'package.json'), packageOf(document.info.version))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'))
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc')
  await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(`The client does not compile:\n${stdout}`)
    },
  )
  rmSync(join(folder, 'tsconfig.json'))
  rmSync(source, { recursive: true })
  return folder
}

/** Where each operation is, and whether it takes an Idempotency-Key. */
function tableOf({ paths }: PublicDocument): string {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, parameters = [] }]) => {
      if (operationId === undefined) return []
      const takesKey = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))
      return [`  ${operationId}: ['${method.toUpperCase()}', '${path}', ${takesKey}],`]
    }),
  )
  const type = "Record<import('./types.js').OperationId, readonly [string, string, boolean]>"
  return `export const table: ${type} = {\n${rows.join('\n')}\n}\n`
}

function packageOf(version: string): string {
  const content = {
    name: 'vitrine-client',
    version,
    description: 'Typed client of the Vitrine API',
    license: 'MIT',
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    files: ['*.js', '*.d.ts'],
    engines: { node: '>=20' },
    sideEffects: false,
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

if (import.meta.filename === process.argv[1]) console.log(`${await buildClient()} written`)
