import { randomUUID } from 'node:crypto'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose'
import { authenticateClient } from '../../../src/oauth/client_assertions.ts'
import { type Client, findKnownClient, registerClient } from '../../../src/oauth/clients.ts'
import type { OAuthFixture } from './oauth_parts.ts'

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
export const redirect_uris = ['http://localhost/callback']
export const token_endpoint_auth_method = 'private_key_jwt'
export const tokenEndpoint = 'https://api.example.com/oauth/token'

interface Assertion {
  claims?: Record<string, unknown>
  header?: { alg?: string; kid?: string }
  key?: Parameters<SignJWT['sign']>[0]
}

/** Clients that authenticate with a signature. */
export interface SignedClients {
  /** The key pair of the client `id`, and a key pair that is not its own. */
  keys: GenerateKeyPairResult
  foreign: GenerateKeyPairResult
  id: string
  register(metadata: object): Promise<string>
  /** The service's time. */
  seconds(): number
  /** A valid assertion with a test's changes; undefined claims are left out. */
  assertion(changes?: Assertion): Promise<string>
  authenticate(form: Record<string, string>): Promise<Client>
  present(clientAssertion: string, form?: Record<string, string>): Promise<Client>
}

export async function openSignedClients({ parts }: OAuthFixture): Promise<SignedClients> {
  const [keys, foreign] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  const register = async (metadata: object) => {
    const client = { redirect_uris, token_endpoint_auth_method, ...metadata }
    return (await registerClient(parts, client)).client_id
  }
  const own = await register({ jwks: { keys: [await exportJWK(keys.publicKey)] } })
  const seconds = () => Math.floor(parts.clock().getTime() / 1000)
  const authenticate = (form: Record<string, string>) =>
    authenticateClient(parts, form, findKnownClient)
  return {
    keys,
    foreign,
    id: own,
    register,
    seconds,
    authenticate,
    assertion({ claims, header, key = keys.privateKey } = {}) {
      const id = typeof claims?.sub === 'string' ? claims.sub : own
      const [iat, exp] = [seconds(), seconds() + 300]
      const usual = { iss: id, sub: id, aud: tokenEndpoint, jti: randomUUID(), iat, exp }
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: 'ES256', ...header })
        .sign(key)
    },
    present: (client_assertion, form = {}) =>
      authenticate({ client_assertion, client_assertion_type: assertionType, ...form }),
  }
}

/** The refusal of a client that failed to authenticate. */
export const failed = (reason: string) => ({
  code: 'invalid_client',
  status: 401,
  description: `Client authentication failed: ${reason}.`,
})
