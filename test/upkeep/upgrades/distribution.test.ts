import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { connect } from '../../../src/db/connect.ts'
import { requireExtension } from '../../../src/db/distribution.ts'
import { createDatabase } from '../../kit/database.ts'

test('a database without the extension is refused, with what to do', async () => {
  const database = await createDatabase()
  const connection = connect(database.url, { max: 1 })
  try {
    await expect(requireExtension(connection.db as unknown as Kysely<unknown>)).rejects.toThrow(
      'This PostgreSQL does not have the extension citus. Install it on every node',
    )
  } finally {
    await connection.close()
    await database.drop()
  }
})
