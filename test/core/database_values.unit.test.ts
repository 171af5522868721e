import { expect, test } from 'vitest'
import { types } from '../../src/db/connect.ts'

const parse = types.getTypeParser(1009) as (value: string) => unknown

test.each([
  ['{}', []],
  ['{products:read}', ['products:read']],
  ['{products:read,tags:write}', ['products:read', 'tags:write']],
  ['{"two words","a,b","say \\"hi\\"",""}', ['two words', 'a,b', 'say "hi"', '']],
  ['{first,NULL,"NULL"}', ['first', null, 'NULL']],
  ['{Ürün,a-b}', ['Ürün', 'a-b']],
])('the array %s is read as %j', (stored, texts) => {
  expect(parse(stored)).toEqual(texts)
})
