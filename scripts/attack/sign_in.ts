import { sql } from 'kysely'
import { type Attack, outcomeOf, type Scene } from './attack.ts'

const strangersAddress = '203.0.113.7'
const ownersAddress = '198.51.100.9'

/** Sends a form of the sign-in page, as a client at this address. */
async function send(
  { usual }: Scene,
  path: string,
  clientAddress: string,
  body: object,
): Promise<number> {
  const { status } = await fetch(`${usual.dashboard}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': clientAddress,
      Origin: usual.dashboardUrl,
    },
    body: JSON.stringify(body),
  })
  return status
}

const askForCode = (scene: Scene, clientAddress: string, email: string) =>
  send(scene, '/api/session/code', clientAddress, { email })

const signIn = (scene: Scene, clientAddress: string, email: string, code: string) =>
  send(scene, '/api/session', clientAddress, { email, code })

let owners = 0
/** An address for which no code has been asked before. */
const newOwner = () => `owner-${process.pid}-${++owners}@example.com`

/** Signs in as the owner of the address; what went wrong, if anything. */
async function tryToSignIn(scene: Scene, email: string): Promise<string | undefined> {
  const { codeMilliseconds } = scene
  const mail = scene.mail.next(email, codeMilliseconds)
  const status = await askForCode(scene, ownersAddress, email)
  if (status !== 202) return `the owner was refused a code with ${status}`
  const [code] = /\b\d{6}\b/.exec((await mail) ?? '') ?? []
  if (code === undefined) return `no code within ${codeMilliseconds / 1000} s`
  const entered = await signIn(scene, ownersAddress, email, code)
  return entered === 200 ? undefined : `the owner's code was refused with ${entered}`
}

export const lockOut: Attack = {
  name: 'lock-out',
  tried: "20 codes asked for somebody's address, and five wrong guesses, before its owner signs in",
  async run(scene) {
    const email = newOwner()
    const statuses: number[] = []
    for (let count = 0; count < 20; count++)
      statuses.push(await askForCode(scene, strangersAddress, email))
    for (let count = 0; count < 5; count++)
      statuses.push(await signIn(scene, strangersAddress, email, '000000'))
    return { ...outcomeOf(statuses), broken: await tryToSignIn(scene, email) }
  },
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
