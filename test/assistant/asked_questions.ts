import type { Transaction } from 'kysely'
import type { Database } from '../../src/db/schema.ts'
import type { components } from '../../src/generated/types.ts'
import type { ChatPlace } from './chats.ts'

export type Unanswered = components['schemas']['UnansweredQuestionList']

/** Deletes the place's product, with what hangs on it. */
export const removeProduct = (trx: Transaction<Database>, { workspaceId, product }: ChatPlace) =>
  trx
    .deleteFrom('products')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', product.id)
    .execute()

export async function listed(place: ChatPlace): Promise<Unanswered> {
  const { body } = await place.api.get(place.at('questions/unanswered')).expect(200)
  return body as Unanswered
}

/** What the list shows of each question. */
export const rowsOf = ({ questions }: Unanswered) =>
  questions.map(({ productId, text, asked }) => [productId, text, asked])

export const ask = (place: ChatPlace, message: string) =>
  place.ask(place.guest(), { message }).expect(200)
