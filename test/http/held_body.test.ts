import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnection, type RawConnection } from '../kit/raw_http.ts'
import { type Person, startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const body = JSON.stringify({ name: 'Written too late' })

/** A write whose caller was admitted and then withholds the body. */
async function beginWrite(
  owner: Person,
): Promise<{ connection: RawConnection; workspaceId: string; keyId: string }> {
  const workspace = await service.givenWorkspace(owner)
  const { id: keyId, key } = await service.givenKey(owner)
  const connection = await openConnection(service.urls.api)
  const head = [
    `PUT /v1/workspaces/${workspace.id}/workspace HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  connection.send(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 1)}`)
  // The first use of a key is recorded on admission.
  const lastUse = () =>
    service.db.selectFrom('api_keys').select('last_used_at').where('id', '=', keyId)
  await expect.poll(async () => (await lastUse().executeTakeFirst())?.last_used_at).not.toBeNull()
  return { connection, workspaceId: workspace.id, keyId }
}

async function finishWrite(connection: RawConnection): Promise<{ status: number; code: string }> {
  connection.send(body.slice(1))
  const answer = await connection.answer()
  connection.close()
  return { status: answer.status, code: (JSON.parse(answer.body) as { code: string }).code }
}

const nameOf = async (id: string) =>
  (
    await service.db
      .selectFrom('workspaces')
      .select('name')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).name

describe('a write whose body is withheld', () => {
  test('is executed if nothing has changed meanwhile', async () => {
    const { connection, workspaceId } = await beginWrite(await service.givenPerson())
    expect((await finishWrite(connection)).status).toBe(200)
    expect(await nameOf(workspaceId)).toBe('Written too late')
  })

  test('is refused if its key was revoked meanwhile', async () => {
    const owner = await service.givenPerson()
    const { connection, workspaceId, keyId } = await beginWrite(owner)
    await service.dashboard(owner).delete(`/api/keys/${keyId}`).expect(200)
    expect(await finishWrite(connection)).toEqual({ status: 401, code: 'token_revoked' })
    expect(await nameOf(workspaceId)).toBe('A workspace')
  })

  test('is refused if its account lost the workspace meanwhile', async () => {
    const owner = await service.givenPerson()
    const { connection, workspaceId } = await beginWrite(owner)
    await service.db
      .updateTable('members')
      .set({ role: 'staff' })
      .where('account_id', '=', owner.accountId)
      .execute()
    expect(await finishWrite(connection)).toEqual({ status: 403, code: 'not_owner' })
    expect(await nameOf(workspaceId)).toBe('A workspace')
  })

  test('is judged by the time when it is complete', async () => {
    const { connection, workspaceId } = await beginWrite(await service.givenPerson())
    service.advance(31 * 24 * 3600_000)
    expect(await finishWrite(connection)).toEqual({ status: 401, code: 'token_expired' })
    expect(await nameOf(workspaceId)).toBe('A workspace')
  })
})
