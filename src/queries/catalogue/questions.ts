import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { workspaceRead } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Question = components['schemas']['ProductQuestion']
type QuestionSet = components['schemas']['ProductQuestionSet']

/** The product's questions, or else the library's. */
export async function getProductQuestions(
  db: Kysely<Database>,
  workspaceId: string,
  productId: string,
): Promise<QuestionSet> {
  const row = await db
    .selectFrom('products')
    .select('questions')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', productId)
    .executeTakeFirst()
  if (!row) throw notFound('product')
  const { questions } = row
  if (questions !== null) return { questions, usesDefaults: false }
  return { questions: await getQuestionLibrary(db, workspaceId), usesDefaults: true }
}

const findPublishedQuestions = workspaceRead<{ workspaceId: string; productId: string }>()(
  'find_published_questions',
  (db, parameter) =>
    db
      .selectFrom('products')
      .select('questions')
      .where('workspace_id', '=', parameter('workspaceId'))
      .where('id', '=', parameter('productId'))
      .where('status', '=', 'ACTIVE'),
)

/** What visitors may ask about a published product. */
export async function getPublishedQuestions(
  db: Kysely<Database>,
  workspaceId: string,
  productId: string,
): Promise<Question[]> {
  const [row] = await findPublishedQuestions(db, { workspaceId, productId })
  if (!row) throw notFound('product')
  return row.questions ?? (await getQuestionLibrary(db, workspaceId))
}

export async function updateProductQuestions(
  trx: Transaction<Database>,
  workspaceId: string,
  productId: string,
  questions: Question[] | null,
): Promise<void> {
  await trx
    .updateTable('products')
    .set({ questions: questions && JSON.stringify(questions) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', productId)
    .execute()
}

export async function getQuestionLibrary(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<Question[]> {
  const row = await db
    .selectFrom('workspaces')
    .select('question_library as questions')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (!row) throw notFound('workspace')
  return row.questions
}

export async function updateQuestionLibrary(
  trx: Transaction<Database>,
  workspaceId: string,
  questions: Question[],
): Promise<void> {
  await trx
    .updateTable('workspaces')
    .set({ question_library: JSON.stringify(questions) })
    .where('id', '=', workspaceId)
    .execute()
}
