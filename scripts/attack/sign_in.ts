import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Attack, outcomeOf, type Scene } from './attack.ts'

const strangersAddress = '203.0.113.7'
const ownersAddress = '198.51.100.9'

interface Client {
  address: string
  /** Of a browser that signed in before. */
  cookie?: string | undefined
}

/** Sends a form of the sign-in page, as a client at this address. */
function send({ usual }: Scene, path: string, client: Client, body: object): Promise<Response> {
  return fetch(`${usual.dashboard}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': client.address,
      Origin: usual.dashboardUrl,
      Cookie: client.cookie ?? '',
    },
    body: JSON.stringify(body),
  })
}

const askForCode = async (scene: Scene, client: Client, email: string) =>
  (await send(scene, '/api/session/code', client, { email })).status

const signIn = (scene: Scene, client: Client, email: string, code: string) =>
  send(scene, '/api/session', client, { email, code })

let owners = 0
/** An address for which no code has been asked before. */
const newOwner = () => `owner-${process.pid}-${++owners}@example.com`

/** Signs in as the owner of the address; what went wrong, if anything, and else the cookies. */
async function enter(
  scene: Scene,
  client: Client,
  email: string,
): Promise<{ broken: string } | { broken?: undefined; cookie: string }> {
  const { codeMilliseconds } = scene
  const mail = scene.mail.next(email, /\b\d{6}\b/, codeMilliseconds)
  const status = await askForCode(scene, client, email)
  if (status !== 202) return { broken: `the owner was refused a code with ${status}` }
  const code = await mail
  if (code === undefined) return { broken: `no code within ${codeMilliseconds / 1000} s` }
  const entered = await signIn(scene, client, email, code)
  if (entered.status !== 200)
    return { broken: `the owner's code was refused with ${entered.status}` }
  const cookies = entered.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return { cookie: cookies.join('; ') }
}

const tryToSignIn = async (scene: Scene, email: string): Promise<string | undefined> =>
  (await enter(scene, { address: ownersAddress }, email)).broken

export const lockOut: Attack = {
  name: 'lock-out',
  tried: "20 codes asked for somebody's address, and five wrong guesses, before its owner signs in",
  async run(scene) {
    const stranger = { address: strangersAddress }
    const email = newOwner()
    const statuses: number[] = []
    for (let count = 0; count < 20; count++) statuses.push(await askForCode(scene, stranger, email))
    for (let count = 0; count < 5; count++)
      statuses.push((await signIn(scene, stranger, email, '000000')).status)
    return { ...outcomeOf(statuses), broken: await tryToSignIn(scene, email) }
  },
}

export const lockOutByMany: Attack = {
  name: 'lock-out by many',
  tried:
    '100 addresses that end every code of an owner, who signs in where they did before, and by link',
  async run(scene) {
    const email = newOwner()
    const before = await enter(scene, { address: ownersAddress }, email)
    if (before.broken !== undefined) return { sent: 1, refused: 1, broken: before.broken }
    // As if it were long ago: the code of a minute would hold back the strangers'.
    await scene.db.deleteFrom('one_time_codes').where('email', '=', email).execute()
    const link = scene.mail.next(email, /\/sign-in-link\/[\w-]+/, 2 * scene.codeMilliseconds)
    const statuses: number[] = []
    const assault = async (_: unknown, number: number) => {
      const stranger = { address: `2001:db8:${number.toString(16)}::1` }
      statuses.push(await askForCode(scene, stranger, email))
      for (let guess = 0; guess < 5; guess++)
        statuses.push((await signIn(scene, stranger, email, '000000')).status)
    }
    await Promise.all(Array.from({ length: scene.times(100) }, assault))
    const broken =
      (await enterByLink(scene, email, link)) ??
      (await enterWhereKnown(scene, email, before.cookie))
    return { ...outcomeOf(statuses), broken }
  },
}

/** From a browser and an address that have not been seen before. */
async function enterByLink(
  scene: Scene,
  email: string,
  mailed: Promise<string | undefined>,
): Promise<string | undefined> {
  const client = { address: '198.51.100.10' }
  // Refused while a mail is on its way that a stranger asked for: its link is as good.
  await askForCode(scene, client, email)
  const link = await mailed
  if (link === undefined) return 'no link was mailed'
  const { status } = await send(scene, `${link}/confirm`, client, {})
  return status === 303 ? undefined : `the link was refused with ${status}`
}

async function enterWhereKnown(
  scene: Scene,
  email: string,
  cookie: string,
): Promise<string | undefined> {
  // The mails that strangers asked for come first; their codes look like the owner's.
  const pending = scene.db.selectFrom('mails').select('id').where('recipient', '=', email)
  while (await pending.executeTakeFirst()) await delay(50)
  return (await enter(scene, { address: ownersAddress, cookie }, email)).broken
}

export const queuedMails: Attack = {
  name: 'queued mails',
  tried: '10,000 mails of one shop to a slow mail server, before somebody else signs in',
  async run(scene) {
    const { db, mail, attacker } = scene
    const count = scene.times(10_000)
    await sql`insert into mails (id, recipient, subject, body, sender, is_urgent, turn)
      select 'mail_attack_' || n, 'stranger-' || n || '@example.com', 'Your code', '123456',
        ${attacker.workspaceId}, false, n
      from generate_series(1, ${count}::integer) n`.execute(db)
    mail.take(300)
    try {
      const broken = await tryToSignIn(scene, newOwner())
      return { sent: count, refused: 0, broken }
    } finally {
      mail.take(0)
      await db.deleteFrom('mails').where('sender', '=', attacker.workspaceId).execute()
    }
  },
}
