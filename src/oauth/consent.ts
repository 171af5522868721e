import type { Kysely } from 'kysely'
import { consentVersion } from '../access/tokens.ts'
import { ApiError, invalidInput, notFound } from '../core/errors.ts'
import { hashToken, newSecret } from '../core/secrets.ts'
import { day, minute } from '../core/time.ts'
import type { Database } from '../db/schema.ts'
import { type Scope, scopes as sentences } from '../generated/operations.ts'
import type { components } from '../generated/types.ts'
import {
  decideAuthorizationRequest,
  findAuthorizationRequest,
  holdDecider,
  findRequestingClient,
  takeAuthorizationRequest,
} from '../queries/agents/authorization_requests.ts'
import { findGrantParties, insertGrant } from '../queries/agents/grants.ts'
import { insertAuthorizationCode } from '../queries/agents/oauth_tokens.ts'
import { newAgentMail } from '../domain/upkeep/mail_texts.ts'
import { listOwnedNames } from '../queries/people/workspaces.ts'
import { insertMail } from '../queries/upkeep/mails.ts'
import { bestLanguage } from '../texts/languages.ts'
import { answerUri } from './authorize.ts'
import type { ClientMetadata } from './client_metadata.ts'
import { accountSuspended, OAuthError, sourceBlocked } from './errors.ts'
import { destinationOf, staysOnMachine } from './redirect_uris.ts'

type ConsentRequest = components['schemas']['ConsentRequest']
type ConsentDecision = components['schemas']['ConsentDecision']

const ticketMilliseconds = minute
const codeMilliseconds = minute
const grantMilliseconds = 90 * day

/** A consent request and the signed-in account that looks at it. */
interface ConsentView {
  requestId: string
  accountId: string
  now: Date
}

/** The agent's request, without the account's address. */
export async function readConsentRequest(
  db: Kysely<Database>,
  view: ConsentView,
): Promise<Omit<ConsentRequest, 'accountEmail'>> {
  const request = await getOpenRequest(db, view)
  return {
    clientName: nameOf(request),
    clientId: request.clientId,
    redirectHost: destinationOf(request.redirectUri),
    // About the URI this answer goes to: other registered URIs, even public ones, prove nothing
    // here.
    loopbackOnly: staysOnMachine(request.redirectUri),
    scopes: request.scopes.map((scope) => ({ name: scope, description: sentences[scope] })),
    workspaces: await listOwnedNames(db, view.accountId),
    askFirst: request.asksFirst,
    expiresAt: request.expiresAt,
  }
}

/**
 * Stores the account's decision and returns the URL that completes it. The ticket in that URL works only in
 * the browser that started the request, so an attacker gains nothing by sending a consent link to others.
 */
export async function decideConsent(
  db: Kysely<Database>,
  view: ConsentView,
  { decision, scopes, workspaceId, askFirst }: ConsentDecision,
  baseUrl: string,
): Promise<string> {
  const request = await getOpenRequest(db, view)
  const allowed = scopes ?? request.scopes
  if (allowed.some((scope) => !request.scopes.includes(scope)))
    throw invalidInput({ scopes: 'scopeNotRequested' })
  const { requestId, accountId, now } = view
  await requireOwned(db, accountId, workspaceId)
  const ticket = newSecret()
  const decided = await decideAuthorizationRequest(
    db,
    { idHash: hashToken(requestId), now },
    {
      accountId,
      grantedScopes: decision === 'allow' ? inOrder(allowed) : [],
      onlyWorkspaceId: workspaceId ?? null,
      asksFirst: askFirst,
      ticketHash: hashToken(ticket),
      ticketExpiresAt: new Date(now.getTime() + ticketMilliseconds),
    },
  )
  if (!decided) throw notFound('consentRequest')
  const query = new URLSearchParams({ request: requestId, ticket }).toString()
  return `${baseUrl}/oauth/authorize/complete?${query}`
}

async function getOpenRequest(db: Kysely<Database>, { requestId, accountId, now }: ConsentView) {
  const idHash = hashToken(requestId)
  const request = await findAuthorizationRequest(db, { idHash, accountId, now })
  if (!request) throw notFound('consentRequest')
  if (request.sourceStatus === 'BLOCKED') throw new ApiError('source_blocked', 'sourceBlocked')
  return request
}

/** Only for an early error: every call checks again whether the person owns it. */
async function requireOwned(
  db: Kysely<Database>,
  accountId: string,
  workspaceId: string | undefined,
): Promise<void> {
  if (workspaceId === undefined) return
  const owned = await listOwnedNames(db, accountId)
  if (!owned.some(({ id }) => id === workspaceId))
    throw invalidInput({ workspaceId: 'noOwnedWorkspace' })
}

function inOrder(scopes: Scope[]): Scope[] {
  return (Object.keys(sentences) as Scope[]).filter((scope) => scopes.includes(scope))
}

export interface CompletionParts {
  db: Kysely<Database>
  now: Date
  issuer: string
  resource: string
}

/**
 * Completes a request in the browser that started it, with its secret and the account's ticket. One
 * transaction deletes the request and creates the grant, its code and the mail about it, so that only
 * one of two concurrent completions wins; a refusal changes nothing.
 */
export async function completeConsent(
  { db, now, issuer, resource }: CompletionParts,
  proof: { requestId: string; ticket: string; browser: string },
): Promise<string> {
  const code = newSecret()
  return db.transaction().execute(async (trx) => {
    // Lock the account first, as everywhere.
    await holdDecider(trx, hashToken(proof.requestId))
    const request = await takeAuthorizationRequest(trx, {
      idHash: hashToken(proof.requestId),
      browserHash: hashToken(proof.browser),
      ticketHash: hashToken(proof.ticket),
      now,
    })
    if (!request?.accountId || !request.grantedScopes) throw notThisBrowser()
    const { accountId, clientId, redirectUri, grantedScopes } = request
    const answer = { state: request.state ?? undefined, iss: issuer }
    if (grantedScopes.length === 0) {
      const error_description = 'The person did not allow it.'
      return answerUri(redirectUri, { error: 'access_denied', error_description, ...answer })
    }
    const parties = await findGrantParties(trx, { clientId, accountId })
    if (!parties || parties.sourceStatus === 'BLOCKED') throw sourceBlocked()
    if (parties.accountStatus !== 'ACTIVE') throw accountSuspended()
    const grantId = await insertGrant(trx, {
      accountId,
      clientId,
      sourceId: parties.sourceId,
      resource,
      consentVersion,
      now,
      requestedScopes: request.scopes,
      scopes: grantedScopes,
      onlyWorkspaceId: request.onlyWorkspaceId,
      asksFirst: request.asksFirst,
      expiresAt: new Date(now.getTime() + grantMilliseconds),
    })
    const mail = newAgentMail(bestLanguage([parties.accountLanguage]), parties.clientName)
    await insertMail(trx, { ...mail, to: parties.accountEmail, sender: accountId })
    await insertAuthorizationCode(trx, {
      codeHash: hashToken(code),
      grantId,
      redirectUri,
      codeChallenge: request.codeChallenge,
      expiresAt: new Date(now.getTime() + codeMilliseconds),
    })
    return answerUri(redirectUri, { code, ...answer })
  })
}

/** One message for all cases, so that it does not reveal which part was wrong. */
export function notThisBrowser(): OAuthError {
  const description = 'This request has expired, was finished before or began in another browser.'
  return new OAuthError('invalid_request', description, { reason: 'otherBrowser' })
}

/** What the client of an open request calls itself; undefined if there is no such request. */
export async function findClientName(
  db: Kysely<Database>,
  requestId: string,
  now: Date,
): Promise<string | undefined> {
  const client = await findRequestingClient(db, { idHash: hashToken(requestId), now })
  return client && nameOf(client)
}

function nameOf({ metadata, sourceName }: { metadata: unknown; sourceName: string }): string {
  return (metadata as Partial<ClientMetadata>).client_name ?? sourceName
}
