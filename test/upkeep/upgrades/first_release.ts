import pg from 'pg'
import { newId } from '../../../src/core/ids.ts'
import { identityKeyOf, searchTextOf } from '../../../src/core/text.ts'

/* The first release's own statements, as it sends them: it knows neither workspaces of links, nor the
directory of slugs, nor months of events, and leaves all counting to triggers. */

const columns = `name, sku, barcode, stock, status, name_key, sku_key, barcode_key, search`

function valuesOf(number: number): unknown[] {
  const [name, sku, barcode] = [`Krem ${number}`, `K ${number}`, `B ${number}`]
  const status = number % 4 === 0 ? 'INACTIVE' : 'ACTIVE'
  const keys = [name, sku, barcode].map(identityKeyOf)
  return [name, sku, barcode, number % 3, status, ...keys, searchTextOf(`${name}\n${sku}`)]
}

/** A client of the first release in one workspace. */
export interface FirstRelease {
  /** Creates, tags, changes and deletes products, records events and reads lists, round after round. */
  trade(rounds: number): Promise<void>
  /** Trades until it is told to stop; rejects at the first statement that fails. */
  tradeOn(): { stop(): Promise<number> }
  close(): Promise<void>
}

let number = 0

export function firstReleaseOn(
  url: string,
  { workspaceId, tagId }: { workspaceId: string; tagId: string },
): FirstRelease {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => undefined)

  async function create(): Promise<string> {
    const id = newId('prod')
    await pool.query(
      `with held_tags as materialized (
         select id from tags where workspace_id = $2 and id = any($3::text[]) order by id for key share),
       product as (
         insert into products (id, workspace_id, slug, created_at, updated_at, brand, description,
           information, sales, ${columns})
         select $1, $2, $1, now(), now(), '', '', '', '[]', $4::text, $5::text, $6::text,
           $7::integer, $8::text, $9::bytea, $10::bytea, $11::bytea, $12::text
         where (select count(*) from held_tags) = cardinality($3::text[])
         on conflict do nothing returning id),
       tagged as (
         insert into product_tags (product_id, tag_id, position)
         select product.id, tag.id, tag.place - 1
         from product, unnest($3::text[]) with ordinality as tag (id, place))
       select exists (select from product) as inserted`,
      [id, workspaceId, [tagId], ...valuesOf(++number)],
    )
    return id
  }

  async function update(id: string): Promise<void> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('select id from products where workspace_id = $1 and id = $2 for update', [
        workspaceId,
        id,
      ])
      await client.query(
        `update products set (${columns}, updated_at) =
           ($2, $3, $4, $5, $6, $7, $8, $9, $10, now()) where id = $1`,
        [id, ...valuesOf(++number)],
      )
      await client.query('delete from product_tags where product_id = $1', [id])
      if (number % 2 === 0)
        await client.query(
          'insert into product_tags (product_id, tag_id, position) values ($1, $2, 0)',
          [id, tagId],
        )
      await client.query('commit')
    } finally {
      client.release()
    }
  }

  async function round(): Promise<void> {
    const [kept, gone] = [await create(), await create()]
    await update(kept)
    await pool.query('delete from products where id = $1', [gone])
    await pool.query(
      `insert into usage_events (id, workspace_id, actor_type, event_name, created_at)
       values ($1, $2, 'CUSTOMER', 'product.view', now())`,
      [newId('evt'), workspaceId],
    )
    const { rows } = await pool.query<{ id: string; tags: string[] }>(
      `select p.id, array(select t.name from product_tags l join tags t on t.id = l.tag_id
         where l.product_id = p.id order by l.position) as tags
       from products p where p.workspace_id = $1 and p.status <> 'DELETED'
       order by p.created_at desc, p.id desc limit 20`,
      [workspaceId],
    )
    if (!rows.some(({ id }) => id === kept) && rows.length < 20) throw new Error(`${kept} is lost.`)
  }

  async function trade(rounds: number): Promise<void> {
    for (let count = 0; count < rounds; count++) await round()
  }

  return {
    trade,
    tradeOn() {
      let stopped = false
      const trading = (async () => {
        let rounds = 0
        for (; !stopped; rounds++) await round()
        return rounds
      })()
      trading.catch(() => undefined)
      return {
        stop() {
          stopped = true
          return trading
        },
      }
    },
    close: () => pool.end(),
  }
}
