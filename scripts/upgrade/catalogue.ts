import type pg from 'pg'
import { exampleOf } from '../../src/core/examples.ts'
import { newId } from '../../src/core/ids.ts'
import { identityKeyOf, searchTextOf } from '../../src/core/text.ts'

const productsPerBatch = 1000

/** A workspace to call, with a tag of its own. */
export interface Workspace {
  id: string
  key: string
  tagId: string
  productIds: string[]
}

/** Creates what stands at a path below the workspaces; its id. */
type Create = (path: string, body: object) => Promise<string>

export function creatorAt(api: string, key: string): Create {
  return async (path, body) => {
    const answer = await fetch(`${api}/v1/workspaces${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { id: string }).id
  }
}

/**
 * Opens workspaces of the account by calls of an older release, and fills them: those of the first release by
 * its statements, which are faster, those of later ones by calls.
 */
export async function fillWorkspaces(
  database: pg.Pool,
  { api, key, products }: { api: string; key: string; products: number },
): Promise<Workspace[]> {
  await database.query('update accounts set workspace_limit = 10')
  const post = creatorAt(api, key)
  const workspaces: Workspace[] = []
  for (const subDomain of ['lale', 'deniz', 'bahar', 'yaz', 'guz']) {
    const id = await post('', { name: `Shop ${subDomain}`, subDomain, templateKey: 'beauty' })
    const tagId = await post(`/${id}/tags`, { name: 'Rose' })
    workspaces.push({ id, key, tagId, productIds: [] })
  }
  const each = Math.floor(products / workspaces.length)
  if (await isFirstRelease(database)) await fillFirstRelease(database, workspaces, each)
  else await Promise.all(workspaces.map((workspace) => createProducts(post, workspace, each)))
  await database.query('analyze')
  return workspaces
}

/** Its links did not name their workspace. */
async function isFirstRelease(database: pg.Pool): Promise<boolean> {
  const { rows } = await database.query(
    `select from information_schema.columns
     where table_name = 'product_tags' and column_name = 'workspace_id'`,
  )
  return rows.length === 0
}

async function createProducts(
  post: Create,
  { id, tagId, productIds }: Workspace,
  count: number,
): Promise<void> {
  for (let number = 0; number < count; number++) {
    const unique = { name: `Gül suyu ${number}`, sku: `S-${number}`, barcode: `S-${number}` }
    const body = { ...exampleOf('ProductCreate'), ...unique, imageIds: [], tagIds: [tagId] }
    productIds.push(await post(`/${id}/products`, body))
  }
}

async function fillFirstRelease(
  database: pg.Pool,
  workspaces: Workspace[],
  each: number,
): Promise<void> {
  for (const [index, workspace] of workspaces.entries())
    for (let left = each; left > 0; left -= productsPerBatch)
      await insertProducts(
        database,
        workspace,
        Math.min(left, productsPerBatch),
        `${index}-${left}`,
      )
  await database.query(
    `insert into usage_events (id, workspace_id, actor_type, event_name, created_at)
     select 'evt_' || w.id || n, w.id, 'GUEST', 'product.view', now() - n * interval '1 hour'
     from workspaces w, generate_series(1, 2000) n`,
  )
}

/** The first release's columns; its triggers count. */
export async function insertProducts(
  database: pg.Pool | pg.PoolClient,
  { id: workspaceId, tagId, productIds }: Omit<Workspace, 'key'>,
  count: number,
  batch: string,
): Promise<void> {
  const ids = Array.from({ length: count }, () => newId('prod'))
  const names = ids.map((_, index) => `Gül suyu ${batch} ${index}`)
  const codes = ids.map((_, index) => `S-${batch}-${index}`)
  await database.query(
    `insert into products (id, workspace_id, name, brand, slug, description, information, sales, sku,
       barcode, stock, status, name_key, sku_key, barcode_key, search, created_at, updated_at)
     select id, $1, name, 'Lale', id, repeat('Rose water for dry skin. ', 20), '', '[]', code, code, 5,
       'ACTIVE', name_key, code_key, code_key, search, now(), now()
     from unnest($2::text[], $3::text[], $4::text[], $5::bytea[], $6::bytea[], $7::text[])
       as p (id, name, code, name_key, code_key, search)`,
    [
      workspaceId,
      ids,
      names,
      codes,
      names.map(identityKeyOf),
      codes.map(identityKeyOf),
      names.map((name, index) => searchTextOf(`${name}\nLale\n${codes[index]}`)),
    ],
  )
  await database.query(
    `insert into product_tags (product_id, tag_id, position)
     select id, $1, 0 from unnest($2::text[]) as p (id)`,
    [tagId, ids],
  )
  productIds.push(...ids)
}
