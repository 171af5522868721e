import { newId } from '../../src/core/ids.ts'
import { consentVersion } from '../../src/access/tokens.ts'
import { hashToken, newToken } from '../../src/core/secrets.ts'
import { day } from '../../src/core/time.ts'
import { addStaff, openStaffSession } from '../../src/domain/administration/staff.ts'
import { type Scope, scopes } from '../../src/generated/operations.ts'
import { insertContactRequest } from '../../src/queries/administration/contact_requests.ts'
import type { ReleaseService } from './service.ts'
import { type Owner, openShop, type Shop, shopOf, signIn } from './shops.ts'
import { fillCatalogue, trade, type Stock } from './trade.ts'

const months = 3

/** Some months of two shops, the newest days of the demo, and what staff did meanwhile. */
export async function liveOn(service: ReleaseService): Promise<void> {
  const realNow = Date.now()
  const monthsAgo = (count: number) => new Date(realNow - count * 31 * day)

  service.setClock(monthsAgo(months))
  const [owner, second] = [
    await signIn(service, 'ada@example.com'),
    await signIn(service, 'can@example.com'),
  ]
  const shops = [
    await openShop(service, owner, 'lale-kozmetik'),
    await openShop(service, second, 'deniz-bakim'),
  ]
  const stocks: Stock[] = []
  for (const shop of shops) stocks.push(await fillCatalogue(service, shop))

  for (let left = months; left >= 0; left--) {
    service.setClock(monthsAgo(left))
    // Dashboard sessions end after a month without a call.
    const [ada, can] = [await signIn(service, owner.email), await signIn(service, second.email)]
    await trade(service, shops[0]!, stocks[0]!, ada)
    await trade(service, shops[1]!, stocks[1]!, can)
  }

  service.setClock(new Date())
  const ada = await signIn(service, owner.email)
  await formTeam(service, shops[0]!, ada)
  await shops[1]!.call({ method: 'PUT', path: 'workspace', body: { subDomain: 'deniz-ve-sen' } })
  const demo = shopOf(service, service.demo.workspaceId, service.demo.apiKey)
  const demoOwner = await signIn(service, service.demo.accountEmail)
  await trade(service, demo, await fillCatalogue(service, demo), demoOwner)
  await connectAgent(service, ada)
  await administer(service, shops[1]!)
}

/** A member who accepted, one who is suspended, and an invitation that waits. */
async function formTeam(service: ReleaseService, shop: Shop, owner: Owner): Promise<void> {
  const path = `/api/workspaces/${shop.workspaceId}/members`
  const invite = (email: string, role: string) =>
    service.call<{ id: string }>({
      origin: 'dashboard',
      path,
      headers: owner.headers,
      body: { email, role },
    })
  for (const [email, role] of [
    ['elif@example.com', 'staff'],
    ['mert@example.com', 'billing'],
  ] as const) {
    const { id } = await invite(email, role)
    const { headers } = await signIn(service, email)
    await service.call({ origin: 'dashboard', path: `/api/invitations/${id}/accept`, headers })
    if (role === 'billing')
      await service.call({
        origin: 'dashboard',
        method: 'PUT',
        path: `${path}/${id}`,
        headers: owner.headers,
        body: { status: 'SUSPENDED' },
      })
  }
  await invite('derya@example.com', 'staff')
}

/** An agent with a grant and tokens, as after its consent page. */
async function connectAgent(service: ReleaseService, owner: Owner): Promise<void> {
  const now = service.now()
  const later = (days: number) => new Date(now.getTime() + days * day)
  const granted = Object.keys(scopes) as Scope[]
  const [sourceId, clientId, grantId] = [newId('src'), newId('client'), newId('grant')]
  await service.write(async (trx) => {
    await trx
      .insertInto('integration_sources')
      .values({ id: sourceId, kind: 'AGENT', identity: 'An agent', name: 'An agent' })
      .execute()
    await trx
      .insertInto('oauth_clients')
      .values({ id: clientId, source_id: sourceId, metadata: '{}', created_at: now })
      .execute()
    await trx
      .insertInto('grants')
      .values({
        id: grantId,
        account_id: owner.accountId,
        client_id: clientId,
        source_id: sourceId,
        requested_scopes: granted,
        scopes: granted,
        resource: 'http://localhost:3000/mcp',
        consent_version: consentVersion,
        created_at: now,
        expires_at: later(90),
      })
      .execute()
    await trx
      .insertInto('access_tokens')
      .values({
        token_hash: hashToken(newToken('accessToken', 'development')),
        grant_id: grantId,
        scopes: granted,
        expires_at: later(1),
      })
      .execute()
  })
}

/** Staff who adjust credits and limits, suspend an account, and read one of two requests. */
async function administer(service: ReleaseService, shop: Shop): Promise<void> {
  const now = service.now()
  const email = 'staff@example.com'
  const suspended = await signIn(service, 'gone@example.com')
  const { token } = (await service.write(async (trx) => {
    await addStaff(trx, email, now)
    for (const name of ['Bora', 'Sena'])
      await insertContactRequest(
        trx,
        { name, email: `${name.toLowerCase()}@example.com`, message: 'May we own two shops?' },
        now,
      )
    return openStaffSession(trx, { environment: 'development', now }, email)
  }))!
  const asStaff = <Answer>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    service.call<Answer>({
      origin: 'admin',
      method,
      path: `/api/admin/${path}`,
      headers: { Cookie: `vitrine_staff=${token}` },
      ...(body ? { body } : {}),
    })
  const reason = 'Makes up for the outage of Monday.'
  await asStaff('POST', `workspaces/${shop.workspaceId}/credits`, { credits: 50, reason })
  await asStaff('PUT', `accounts/${suspended.accountId}/workspace-limit`, { workspaceLimit: 3 })
  await asStaff('PUT', `accounts/${suspended.accountId}/status`, { status: 'SUSPENDED' })
  const { contactRequests } = await asStaff<{ contactRequests: { id: string }[] }>(
    'GET',
    'contact-requests',
  )
  await asStaff('POST', `contact-requests/${contactRequests[0]!.id}/read`)
}
