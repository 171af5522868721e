import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import type { OpenApiDocument } from '../../../codegen/document.ts'
import { samplesOf, type Sample } from '../../../codegen/guide/samples.ts'
import { environmentName } from '../../../codegen/guide/values.ts'
import { inOrder, keptBy, ownMaker } from '../../../codegen/postman/chain.ts'
import { itemsOf } from '../../../codegen/postman/collection.ts'

const run = promisify(execFile)

export type Language = Sample['language']

/** A sample prints the status and the body; curl prints the body alone, so the shell adds the status. */
const curl = `curl() { command curl -sS -w '\\n%{http_code}' "$@"; }\n`

/** How a reader runs a sample: the program, and what it is started with. */
const programs: Record<Language, (code: string, folder: string) => [string, string[]]> = {
  sh: (code) => ['bash', ['-c', curl + code]],
  ts: (code, folder) => {
    // It has no syntax that is TypeScript's alone.
    const file = join(folder, 'sample.mjs')
    writeFileSync(file, code)
    return [process.execPath, [file]]
  },
  python: (code) => ['python3', ['-c', code]],
}

interface Printed {
  status: number
  body: string
}

export async function runSample(
  { language, code }: Sample,
  folder: string,
  variables: Record<string, string>,
): Promise<Printed> {
  const [program, args] = programs[language](code, folder)
  const env = { PATH: process.env['PATH'], ...variables }
  const { stdout } = await run(program, args, { cwd: folder, env, maxBuffer: 2 ** 26 })
  const parts =
    language === 'sh' ? /^([^]*)\n(\d{3})$/.exec(stdout) : /^(\d{3}) ?([^]*)\n$/.exec(stdout)
  const [, first = '', second = ''] = parts ?? []
  const [status, body] = language === 'sh' ? [second, first] : [first, second]
  return { status: Number(status), body }
}

/**
 * Runs the samples of a language one after the other, in the order in which each finds what it needs, with
 * the ids that earlier answers had. Answers what failed.
 */
export async function runAllSamples(
  document: OpenApiDocument,
  language: Language,
  { folder, variables }: { folder: string; variables: Record<string, string> },
): Promise<{ ran: string[]; failures: string[] }> {
  const samples = new Map(
    samplesOf(document).map(({ call, samples: all }) => [
      call.id,
      { call, sample: all.find((each) => each.language === language)! },
    ]),
  )
  const env = { ...variables }
  const failures: string[] = []

  async function send(id: string): Promise<void> {
    const { call, sample } = samples.get(id)!
    try {
      const { status, body } = await runSample(sample, folder, env)
      if (status < 200 || status > 299) throw new Error(`${status} ${body}`)
      for (const [name, expression] of Object.entries(keptBy(call))) {
        const answer = JSON.parse(body) as unknown
        env[environmentName(name)] = String(runInNewContext(expression, { answer }))
      }
    } catch (error) {
      failures.push(`${id}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  const ran: string[] = []
  for (const { call } of inOrder(itemsOf(document))) {
    const maker = ownMaker[call.id]
    if (maker !== undefined) await send(maker)
    await send(call.id)
    ran.push(call.id)
  }
  return { ran, failures }
}
