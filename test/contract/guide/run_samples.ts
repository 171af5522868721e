import { execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import type { OpenApiDocument } from '../../../codegen/document.ts'
import { samplesOf, type Sample } from '../../../codegen/guide/samples.ts'
import { environmentName } from '../../../codegen/guide/values.ts'
import { inOrder, keptBy, ownMaker } from '../../../codegen/postman/chain.ts'
import { itemsOf } from '../../../codegen/postman/collection.ts'

export type Language = Sample['language']

/** Runs a program with these variables in the environment, and answers what it prints. */
type Run = (code: string, variables: Record<string, string>) => Promise<string>

/** Runs what is sent as lines; to start an interpreter for each sample takes most of the time. */
const interpreters = {
  ts: `
    import { createInterface } from 'node:readline'
    import { format } from 'node:util'
    for await (const line of createInterface({ input: process.stdin })) {
      const { file, variables } = JSON.parse(line)
      Object.assign(process.env, variables)
      let printed = ''
      console.log = (...values) => { printed += format(...values) }
      await import(file).catch((error) => { printed = String(error) })
      process.stdout.write(JSON.stringify(printed) + '\\n')
    }`,
  python: `
import contextlib, io, json, os, sys
for line in sys.stdin:
    call = json.loads(line)
    os.environ.update(call["variables"])
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(open(call["file"]).read(), {})
    except Exception as error:
        answer = error.read().decode() if hasattr(error, "read") else ""
        printed = io.StringIO(f"{error} {answer}")
    print(json.dumps(printed.getvalue()), flush=True)`,
}

/** Samples of Node and Python print the status and the body. */
function startInterpreter(
  language: 'ts' | 'python',
  folder: string,
): { run: Run; stop: () => void } {
  const [program, ...args] =
    language === 'ts' ? [process.execPath, '--input-type=module', '-e'] : ['python3', '-c']
  const child = spawn(program, [...args, interpreters[language]], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let count = 0
  const run: Run = async (code, variables) => {
    // TypeScript that has no syntax of its own is a module of Node's.
    const file = join(folder, `sample_${count++}.${language === 'ts' ? 'mjs' : 'py'}`)
    writeFileSync(file, code)
    child.stdin.write(`${JSON.stringify({ file, variables })}\n`)
    const { value } = await lines.next()
    return JSON.parse(String(value)) as string
  }
  return { run, stop: () => child.stdin.end() }
}

/** curl prints the body alone, so the shell puts the status before it. */
function startShell(folder: string): { run: Run; stop: () => void } {
  const options = `-sS -o answer -w '%{http_code} '`
  const run: Run = async (code, variables) => {
    const script = `curl() { command curl ${options} "$@"; }; rm -f answer\n${code}\ncat answer`
    const env = { PATH: process.env['PATH'], ...variables }
    const limits = { cwd: folder, env, maxBuffer: 2 ** 26 }
    return (await promisify(execFile)('bash', ['-c', script], limits)).stdout
  }
  return { run, stop: () => undefined }
}

/**
 * Runs the samples one after the other, in the order in which each finds what it needs, with the ids that
 * earlier answers had. The languages take turns. Answers what failed.
 */
export async function runAllSamples(
  document: OpenApiDocument,
  languages: Language[],
  { folder, variables }: { folder: string; variables: Record<string, string> },
): Promise<{ ran: string[]; failures: string[] }> {
  const samples = new Map(samplesOf(document).map((each) => [each.call.id, each]))
  const env = { ...variables }
  const failures: string[] = []
  const ran: string[] = []
  const programs = languages.map((language) => ({
    language,
    ...(language === 'sh' ? startShell(folder) : startInterpreter(language, folder)),
  }))

  async function send(id: string): Promise<void> {
    const { call, samples: all } = samples.get(id)!
    const { language, run } = programs[ran.length % programs.length]!
    try {
      const printed = await run(all.find((each) => each.language === language)!.code, env)
      const [, body] = /^2\d\d ([^]*)$/.exec(printed) ?? []
      if (body === undefined) throw new Error(printed)
      for (const [name, expression] of Object.entries(keptBy(call))) {
        const answer = JSON.parse(body) as unknown
        env[environmentName(name)] = String(runInNewContext(expression, { answer }))
      }
    } catch (error) {
      failures.push(
        `${id} (${language}): ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  for (const { call } of inOrder(itemsOf(document))) {
    const maker = ownMaker[call.id]
    if (maker !== undefined) await send(maker)
    await send(call.id)
    ran.push(call.id)
  }
  for (const { stop } of programs) stop()
  return { ran, failures }
}
