import type { Kysely, Transaction } from 'kysely'
import { exampleOf } from '../../src/core/examples.ts'
import { parseJson } from '../../src/core/json_text.ts'
import type { Database } from '../../src/db/schema.ts'
import { mergeQuestions } from '../../src/domain/catalogue/questions.ts'
import { createWorkspace } from '../../src/domain/site/workspaces.ts'
import { createProduct } from '../../src/queries/catalogue/new_products.ts'
import { updateQuestionLibrary } from '../../src/queries/catalogue/questions.ts'
import { insertTag } from '../../src/queries/catalogue/tags.ts'
import { ensureAccount } from '../../src/queries/people/accounts.ts'
import type { CaseShop } from './cases.ts'

/** A shop of the set in the database. */
export interface StoredShop {
  shop: CaseShop
  workspaceId: string
  idOf(key: string): string
  keyOf(id: string): string
}

/** Stores the shops, each owned by an account of its own. */
export async function storeShops(
  db: Kysely<Database>,
  shops: readonly CaseShop[],
): Promise<Map<string, StoredShop>> {
  const stored = new Map<string, StoredShop>()
  for (const shop of shops)
    stored.set(shop.key, await db.transaction().execute((trx) => storeShop(trx, shop)))
  return stored
}

async function storeShop(trx: Transaction<Database>, shop: CaseShop): Promise<StoredShop> {
  const now = new Date('2026-01-01T00:00:00Z')
  const account = await ensureAccount(trx, `${shop.key}@evaluation.example`, shop.name)
  const place = {
    name: shop.name,
    subDomain: `evaluation-${shop.key}`,
    templateKey: shop.templateKey,
  }
  const { id: workspaceId } = await createWorkspace(trx, account.id, place, now)
  const tagIds = new Map<string, string>()
  for (const name of new Set(shop.products.flatMap(({ tags }) => tags)))
    tagIds.set(name, (await insertTag(trx, workspaceId, { name }, now)).id)
  const ids = new Map<string, string>()
  for (const { key, tags, sales = [], ...product } of shop.products) {
    const values = {
      ...exampleOf('ProductUpdate'),
      ...product,
      sales,
      status: 'ACTIVE' as const,
      tagIds: tags.map((tag) => tagIds.get(tag)!),
      imageIds: [],
    }
    const at = new Date(now.getTime() + ids.size)
    ids.set(key, parseJson(await createProduct(trx, workspaceId, values, at)).id)
  }
  const library = shop.library.map((text) => ({ text }))
  await updateQuestionLibrary(trx, workspaceId, mergeQuestions([], library, now))
  const keys = new Map([...ids].map(([key, id]) => [id, key]))
  return { shop, workspaceId, idOf: (key) => ids.get(key)!, keyOf: (id) => keys.get(id)! }
}
