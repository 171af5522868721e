import { describe, expect, test } from 'vitest'
import { violationsOf } from './statement_rules.ts'

const places = {
  products: 'workspace_id',
  tags: 'workspace_id',
  product_tags: 'workspace_id',
  product_slugs: 'slug',
  accounts: undefined,
  members: undefined,
}
const check = (statement: string) => violationsOf(statement, places)
const unbound = (table: string) => `does not compare workspace_id of ${table} with a parameter`
const uninserted = (table: string) => `does not insert workspace_id of ${table} from a parameter`

describe('a statement runs on one shard', () => {
  test.each([
    'select name from products where workspace_id = $1 and id = $2',
    'select "p"."name" from "products" as "p" where "p"."workspace_id" = $1',
    `select p.id from products p join product_tags l on l.workspace_id = $1 and l.product_id = p.id
      where p.workspace_id = $2`,
    'select id from products p where (p.workspace_id = $1::text and p.id = $2) for update',
    'select (select count(*) from tags where workspace_id = $1) as tags, $2 as page',
    `with tag as (select id from tags where workspace_id = $1 for key share)
      insert into product_tags (workspace_id, product_id, tag_id) select $2, $3, tag.id from tag`,
    'insert into products (id, workspace_id) values ($1, $2), ($3, $4) on conflict do nothing',
    'insert into tags (workspace_id, id) select p.workspace_id, $1 from products p where p.workspace_id = $2',
    'update products set name = $1 where workspace_id = $2 and id = $3',
    'update products p set name = s.name from tag s where p.workspace_id = $1',
    'delete from products where workspace_id = $1 and id = any($2) returning id',
    'insert into product_slugs (slug, workspace_id) values ($1, $2)',
    'select workspace_id from product_slugs where slug = $1',
    'select id from members where account_id = $1 and tags = $2',
    "select 'from products' from accounts, members",
  ])('%s', (statement) => {
    expect(check(statement)).toEqual([])
  })
})

describe('a statement does not run on one shard', () => {
  test.each([
    ['select name from products where id = $1', [unbound('products')]],
    ['select id from products where workspace_id = any($1)', [unbound('products')]],
    [
      'select p.id from products p join tags t on t.workspace_id = p.workspace_id where p.workspace_id = $1',
      [unbound('tags')],
    ],
    [
      'select p.id from products p, tags where p.workspace_id = $1 and workspace_id = $2',
      [unbound('tags')],
    ],
    ['select (select count(*) from tags) from products where workspace_id = $1', [unbound('tags')]],
    [
      'select id from products where workspace_id = $1 and exists (select from product_tags l where l.product_id = products.id)',
      [unbound('product_tags')],
    ],
    ['update products set workspace_id = $1 where id = $2', [unbound('products')]],
    ['delete from tags where id = $1', [unbound('tags')]],
    ['delete from tags where workspace_id = $1::text or id = $2', [unbound('tags')]],
    ['insert into tags (id) values ($1)', [uninserted('tags')]],
    [
      'insert into tags (id, workspace_id) select $1, workspace_id from product',
      [uninserted('tags')],
    ],
    [
      'insert into tags (workspace_id, id) select p.workspace_id, $1 from products p where p.id = $2',
      [unbound('products')],
    ],
    [
      'select p.id from products p join accounts a on a.id = p.id where p.workspace_id = $1',
      ['names accounts, products, kept apart'],
    ],
    [
      'with taken as (select from product_slugs where slug = $1) insert into products (workspace_id) select $2 from taken',
      ['names product_slugs, products, kept apart'],
    ],
  ])('%s', (statement, problems) => {
    expect(check(statement)).toEqual(problems)
  })
})
