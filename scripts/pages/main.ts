// npm run pages:test [-- writes reads]
//
// Writers change what a shop's pages show (10,000 times by default) at two processes of this build on one
// database, while readers ask both for the pages (100,000 times). Every write has a number; fails if a
// page that was asked for after an acknowledged write shows an older one. Ctrl-C ends it early, with what it has seen.
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { makeDataFolder } from '../bench/data_folder.ts'
import { build } from '../build.mjs'
import { callShop, type FeedShop } from '../feed/shop.ts'
import { type RunningBuild, startBuild } from '../upgrade/running_build.ts'
import { freePort } from '../../test/kit/free_ports.ts'

const root = join(import.meta.dirname, '..', '..')
const [writes, reads] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 100_000)]
const siteDomain = 'localhost:3003'
const readers = 8
/** How often in a row a process may refuse a write or hang up before it is taken for dead. */
const maxRefusals = 50

/** What is written, and the page that shows it. Each kind has a writer of its own, so numbers only grow. */
interface Kind {
  path: string
  write: (words: string) => Parameters<typeof callShop>[3] & { at: string }
  /** The last number that was acknowledged. */
  done: number
}

await build()
const dataDir = await makeDataFolder()
const database = await startEmbeddedPostgres({ dataDir })
const sitePorts = [await freePort(), await freePort()]
const services: RunningBuild[] = []
const agent = new Agent({ keepAlive: true, maxSockets: 2 * readers })

async function start(place: number): Promise<void> {
  services[place] = await startBuild(root, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret of the pages test, long enough',
    SITE_PORT: String(sitePorts[place]),
    SITE_DOMAIN: siteDomain,
  })
  await services[place].ready
}

/** The text of a page of the shop, as one of the processes answers it; undefined if it is too busy, or hangs up. */
function visit(place: number, host: string, path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: sitePorts[place], path, agent, headers: { host } }
    request(options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('end', () => {
        const text = Buffer.concat(parts).toString()
        if (response.statusCode === 200) resolve(text)
        else if (response.statusCode === 503) resolve(undefined)
        else reject(new Error(`${path} answered ${response.statusCode}.`))
      })
    })
      .once('error', () => resolve(undefined))
      .end()
  })
}

interface OpenShop extends FeedShop {
  host: string
  kinds: Kind[]
}

/** The demo's shop, and four things of it that are written. */
async function demoShop(): Promise<OpenShop> {
  const { apiKey: key } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
    apiKey: string
  }
  const answer = await fetch(`${services[0]!.api}/v1/workspaces`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  const { workspaces } = (await answer.json()) as {
    workspaces: { id: string; subDomain: string }[]
  }
  const { id: workspaceId, subDomain } = workspaces[0]!
  const shop = { key, workspaceId }
  const listed = await callShop(services[0]!.api, shop, 'products?status=ACTIVE&pageSize=1')
  const [product] = (listed!.json as { products: { id: string; slug: string }[] }).products
  const kinds: Omit<Kind, 'done'>[] = [
    {
      path: `/p/${product!.slug}`,
      write: (words) => ({
        at: `products/${product!.id}`,
        method: 'PATCH',
        body: { description: words },
      }),
    },
    {
      path: '/',
      write: (words) => ({ at: 'website', method: 'PUT', body: { headline: words } }),
    },
    {
      path: '/privacy',
      write: (words) => ({ at: 'workspace', method: 'PUT', body: { name: words } }),
    },
    {
      path: '/faq',
      write: (words) => ({
        at: 'questions',
        method: 'PUT',
        body: { questions: [{ text: words }] },
      }),
    },
  ]
  const host = `${subDomain}.${siteDomain}`
  return { ...shop, host, kinds: kinds.map((kind) => ({ ...kind, done: 0 })) }
}

const isRefused = (answer: { status: number } | undefined) =>
  answer === undefined || answer.status === 503

const numberIn = (text: string, index: number): number =>
  Number(new RegExp(`written-${index}-(\\d+)-`).exec(text)?.[1] ?? 0)

let isEnded = false
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isEnded = true))

try {
  await start(0)
  await start(1)
  const shop = await demoShop()
  const { host, kinds } = shop
  const begun = performance.now()
  const stale: string[] = []
  let [written, read, refused] = [0, 0, 0]

  async function writeOn(kind: Kind, index: number): Promise<void> {
    for (let number = 1; number <= writes / kinds.length && !isEnded; number++) {
      const { at, ...call } = kind.write(`written-${index}-${number}-end`)
      const write = () => callShop(services[number % 2]!.api, shop, at, call)
      let answer = await write()
      // A busy machine may refuse, or end an idle connection just then; what is not acknowledged is written again.
      for (let again = 0; again < maxRefusals && isRefused(answer); again++) {
        refused++
        answer = await write()
      }
      if (answer?.status !== 200) throw new Error(`${at} answered ${JSON.stringify(answer)}.`)
      kind.done = number
      written++
    }
  }

  async function readOn(lane: number): Promise<void> {
    for (let turn = lane; read < reads && !isEnded; turn++) {
      const index = turn % kinds.length
      const { path, done } = kinds[index]!
      read++
      const text = await visit(turn % 2, host, path)
      if (text === undefined) {
        refused++
        continue
      }
      const shown = numberIn(text, index)
      if (shown < done) stale.push(`${path} showed ${shown} after ${done}.`)
    }
  }

  await Promise.all([
    ...kinds.map(writeOn),
    ...Array.from({ length: readers }, (_, lane) => readOn(lane)),
  ])
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.table([{ writes: written, reads: read, refused, seconds, stale: stale.length }])
  if (refused > read / 10) throw new Error('Too much was refused to say anything.')
  if (stale.length > 0) {
    console.error(stale.slice(0, 10).join('\n'))
    process.exitCode = 1
  }
} catch (error) {
  console.error(services.flatMap((service) => service.faults()).join('\n'))
  throw error
} finally {
  agent.destroy()
  for (const service of services) await service.stop('SIGKILL')
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
}
