import type { Reason } from '../texts/refusals.ts'

/** Error codes of RFC 6749, 7009, 7591, 8707 and OpenID Connect, with their HTTP statuses. */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  unsupported_token_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  login_required: 400,
  interaction_required: 400,
  access_denied: 403,
  server_error: 500,
  temporarily_unavailable: 503,
} as const

export type OAuthErrorCode = keyof typeof statuses

const maxDescription = 400

/**
 * A refusal as an OAuth error; its code determines the status. The description is for programs, in
 * English; the reason is for people, in their language.
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly reason: Reason
  /** Whole seconds to wait before a retry, if waiting helps. */
  readonly retryAfter: number | undefined

  constructor(
    code: OAuthErrorCode,
    description: string,
    {
      reason = reasons[code] ?? 'agentRequestInvalid',
      retryAfter,
    }: { reason?: Reason; retryAfter?: number } = {},
  ) {
    super(description)
    this.code = code
    this.reason = reason
    this.retryAfter = retryAfter
  }

  get status(): number {
    return statuses[this.code]
  }

  /** Restricted to the characters that RFC 6749 allows in an error description. */
  get description(): string {
    return this.message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, maxDescription)
  }
}

/** Explanations for people. The details are for the client's developer. */
const reasons: Partial<Record<OAuthErrorCode, Reason>> = {
  invalid_client: 'agentUnknown',
  invalid_client_metadata: 'agentMisdescribed',
  invalid_redirect_uri: 'agentMisdescribed',
  temporarily_unavailable: 'agentBusy',
}

export function accountSuspended(): OAuthError {
  return new OAuthError('access_denied', 'This account is suspended.', {
    reason: 'accountSuspended',
  })
}

/**
 * Never `invalid_client`: clients would discard their registration, and unblocking would not help.
 */
export function sourceBlocked(): OAuthError {
  return new OAuthError('access_denied', 'An administrator has blocked this integration.', {
    reason: 'sourceBlocked',
  })
}
