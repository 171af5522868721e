import {
  hashToken,
  newGuestToken,
  newThreadToken,
  newToken,
  threadSeed,
} from '../../src/core/secrets.ts'
import { newId } from '../../src/core/ids.ts'
import { guestIdOf } from '../../src/access/visitors.ts'
import type { components } from '../../src/generated/types.ts'
import { type TestService, unique } from './service.ts'

/** A site and its service. */
export interface Place {
  service: TestService
  workspace: Pick<components['schemas']['Workspace'], 'id'>
}

/** A visitor of a site: the id, and the headers that authenticate them. */
export interface TestVisitor {
  type: 'GUEST' | 'CUSTOMER'
  id: string
  email: string
  headers: Record<string, string>
}

const day = 24 * 3600_000

/** A signed-in customer. */
export async function givenCustomer(
  { service, workspace }: Place,
  { email = `${unique('customer')}@example.com`, days = 365 } = {},
): Promise<TestVisitor & { token: string }> {
  const { db, config } = service
  const now = service.now()
  const id = newId('cus')
  await db
    .insertInto('customers')
    .values({
      id,
      workspace_id: workspace.id,
      email,
      name: 'A customer',
      phone: null,
      language: 'en',
      created_at: now,
      updated_at: now,
    })
    .execute()
  const token = newToken('customerSession', config.environment)
  await db
    .insertInto('customer_sessions')
    .values({
      id: newId('ses'),
      workspace_id: workspace.id,
      customer_id: id,
      token_hash: hashToken(token),
      created_at: now,
      expires_at: new Date(now.getTime() + days * day),
    })
    .execute()
  return { type: 'CUSTOMER', id, email, token, headers: { 'X-Visitor-Token': token } }
}

/** A guest with a token, as after bootstrap. */
export function givenGuest(
  { service, workspace }: Place,
  { deviceId = unique('device'), days = 90 } = {},
): TestVisitor & { deviceId: string; token: string } {
  const { secretKey, environment } = service.config
  const guest = { workspaceId: workspace.id, deviceId }
  const expires = new Date(service.now().getTime() + days * day)
  const token = newGuestToken(secretKey, environment, guest, expires)
  const headers = { 'X-Guest-Device-Id': deviceId, 'X-Guest-Token': token }
  const id = guestIdOf(workspace.id, deviceId)
  return { type: 'GUEST', id, email: '', deviceId, token, headers }
}

/** A visitor's thread, with the id that a chat would return. */
export async function givenThread(
  { service, workspace }: Place,
  visitor: Pick<TestVisitor, 'id'>,
): Promise<{ threadId: string }> {
  const { secretKey, environment } = service.config
  const owner = { workspaceId: workspace.id, visitorId: visitor.id }
  const threadId = newThreadToken(secretKey, environment, owner)
  await service.db
    .insertInto('threads')
    .values({
      workspace_id: workspace.id,
      visitor_id: visitor.id,
      token_hash: hashToken(threadId),
      seed: threadSeed(threadId),
      kind: 'ROUTINE',
      title: 'In the evening?',
      created_at: service.now(),
      updated_at: service.now(),
    })
    .execute()
  return { threadId }
}
