import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { pictureTurn } from './threads.ts'
import { wordingOf } from './unanswered_questions.ts'

type TopQuestion = components['schemas']['TopQuestion']

/* Raw SQL: turns are counted where they lie, in the JSON of conversations. */

/** The latest conversations that are read, so that a large shop's page does not take long. */
const maxThreads = 5000
const maxWordings = 2000

interface AskedWording {
  text: string
  asked: number
  /** Two of the visitors who asked, or the only one. */
  visitorIds: string[]
}

/**
 * Questions that at least two visitors asked, the most asked first. A question of a single visitor is left
 * out: it may identify them. Questions of deleted conversations and customers disappear with them.
 */
export async function listTopQuestions(
  db: Kysely<Database>,
  workspaceId: string,
  { firstMoment, endMoment }: { firstMoment: Date; endMoment: Date },
  length: number,
): Promise<TopQuestion[]> {
  // The last use of a conversation is written once a day, so it may be a day older than its last turn.
  const { rows } = await sql<AskedWording>`
    select turn->>'text' as text, count(*) as asked,
      (array_agg(distinct t.visitor_id))[:2] as "visitorIds"
    from (
      select visitor_id, turns, created_at from threads
      where workspace_id = ${workspaceId} and created_at < ${endMoment}
        and used_at >= ${firstMoment}::timestamptz - interval '1 day'
      order by used_at desc limit ${maxThreads}) t
    cross join lateral jsonb_array_elements(t.turns) turn
    where turn->>'role' = 'visitor' and not turn ? 'isTrial' and turn->>'text' <> ${pictureTurn}
      and coalesce((turn->>'createdAt')::timestamptz, t.created_at) >= ${firstMoment}
      and coalesce((turn->>'createdAt')::timestamptz, t.created_at) < ${endMoment}
    group by turn->>'text' order by asked desc, text limit ${maxWordings}`.execute(db)
  return [...byWording(rows).values()]
    .filter(({ visitorIds }) => new Set(visitorIds).size > 1)
    .sort((one, other) => other.asked - one.asked)
    .slice(0, length)
    .map(({ text, asked }) => ({ text, asked }))
}

/** Texts that differ only in case or spaces are one question, shown in its most used wording. */
function byWording(rows: readonly AskedWording[]): Map<string, AskedWording> {
  const questions = new Map<string, AskedWording>()
  for (const { text: written, asked, visitorIds } of rows) {
    const { text, key } = wordingOf(written)
    const name = key.toString('hex')
    const known = questions.get(name) ?? { text, asked: 0, visitorIds: [] }
    questions.set(name, {
      text: known.text,
      asked: known.asked + asked,
      visitorIds: [...known.visitorIds, ...visitorIds],
    })
  }
  return questions
}
