import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/operation.ts'
import { operations } from '../../src/generated/operations.ts'
import { createRoutes, inWorkspace } from '../../src/surfaces/call/routes.ts'

const ids: OperationId[] = [
  'list_workspaces',
  'create_workspace',
  'list_templates',
  'get_workspace',
  'update_workspace',
  'get_website',
  'list_keys',
  'create_key',
  'revoke_key',
  'list_members',
  'remove_member',
  'get_session',
  'delete_session',
  'create_session',
  'accept_invitation',
]
const routes = createRoutes(ids, { flat: false })
const flatRoutes = createRoutes(ids, { flat: true })

describe('a path of the contract', () => {
  test.for(ids)('leads to its operation: %s', (id) => {
    const { method, path } = operations[id]
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const params = Object.fromEntries(names.map((name) => [name, `a-${name}`]))
    const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => `a-${name}`)
    expect(routes(method, filled)).toEqual({ operationId: id, params, flat: false })
  })

  test('is found with a trailing slash, but not with two', () => {
    const route = { operationId: 'list_workspaces', params: {}, flat: false }
    expect(routes('get', '/v1/workspaces/')).toEqual(route)
    expect(routes('get', '/v1/workspaces//')).toBeUndefined()
  })

  test.each([
    '',
    '/',
    '//',
    '/v1',
    '/v1//workspaces',
    '//v1/workspaces',
    '/v1/workspaces//',
    '/V1/workspaces',
    '/v1/Workspaces',
    '/v1/workspaces/a/workspace/b',
    '/v1/workspacesx',
    '/v1/work',
    '*',
    'http://localhost/v1/workspaces',
    '/v1/%77orkspaces',
    '/api/keys/a/b',
    '/constructor',
    '/v1/__proto__',
    '/v1/workspaces/a/toString',
  ])('is not found by %j', (path) => {
    expect(routes('get', path)).toBeUndefined()
  })

  test('called with another method answers with the allowed methods', () => {
    expect(routes('delete', '/v1/workspaces')).toEqual({ allow: ['GET', 'HEAD', 'POST'] })
    expect(routes('put', '/api/session')).toEqual({ allow: ['DELETE', 'GET', 'HEAD', 'POST'] })
    expect(routes('get', '/api/keys/a')).toEqual({ allow: ['DELETE'] })
    expect(routes('head', '/api/keys/a')).toEqual({ allow: ['DELETE'] })
    expect(routes('constructor', '/v1/templates')).toEqual({ allow: ['GET', 'HEAD'] })
  })

  test('accepts HEAD where it accepts GET', () => {
    expect(routes('head', '/v1/templates')).toEqual(routes('get', '/v1/templates'))
  })
})

describe('a parameter of a path', () => {
  const idOf = (path: string) => {
    const match = routes('delete', path)
    return match && 'params' in match ? match.params.id : undefined
  }

  test.each([
    ['a%2Fb', 'a/b'],
    ['a%252Fb', 'a%2Fb'],
    ['a+b', 'a+b'],
    ['a%20b', 'a b'],
    ['%C3%A9', 'é'],
    ['..', '..'],
    ['%2e%2e', '..'],
    ['a;b=c', 'a;b=c'],
  ])('stays one segment and is decoded once: %s', (segment, value) => {
    expect(idOf(`/api/keys/${segment}`)).toBe(value)
  })

  test.each(['%', '%zz', '%f', '%ff', '%c3%28', '%ed%a0%80'])(
    'is refused when its percent-encoding is malformed: %s',
    (segment) => {
      const refusal = { status: 400, fieldErrors: { id: 'percentEncoding' } }
      expect(() => idOf(`/api/keys/${segment}`)).toThrow(expect.objectContaining(refusal))
    },
  )

  test('is refused with a NUL character', () => {
    const refusal = {
      status: 400,
      fieldErrors: { id: 'unstorable' },
    }
    expect(() => idOf('/api/keys/a%00')).toThrow(expect.objectContaining(refusal))
  })

  test('may be empty within a path, where validation refuses it, but not at the end', () => {
    const route = { operationId: 'get_website', params: { workspaceId: '' }, flat: false }
    expect(routes('get', '/v1/workspaces//website')).toEqual(route)
    expect(routes('delete', '/api/keys/')).toEqual({ allow: ['GET', 'HEAD', 'POST'] })
  })

  test('named like a property of every object is an ordinary value', () => {
    expect(idOf('/api/keys/__proto__')).toBe('__proto__')
  })
})

describe('a literal segment', () => {
  test('wins over a parameter, and yields to it where it leads to no operation', () => {
    // As flat URLs, /v1/workspaces is the list, and /v1/workspace is a literal beside it.
    const list = flatRoutes('get', '/v1/workspaces')
    expect(list).toMatchObject({ operationId: 'list_workspaces', flat: false })
    expect(flatRoutes('get', '/v1/workspaces/workspace/workspace')).toEqual({
      operationId: 'get_workspace',
      params: { workspaceId: 'workspace' },
      flat: false,
    })
    expect(routes('delete', '/api/workspaces/members/members/members')).toEqual({
      operationId: 'remove_member',
      params: { workspaceId: 'members', id: 'members' },
      flat: false,
    })
  })
})

describe('a flat URL', () => {
  test('leads to the operations of a workspace without naming it', () => {
    const route = { operationId: 'get_workspace', params: {}, flat: true }
    expect(flatRoutes('get', '/v1/workspace')).toEqual(route)
    expect(flatRoutes('post', '/v1/website')).toEqual({ allow: ['GET', 'HEAD'] })
  })

  test('exists only where enabled, and only for the management API', () => {
    expect(routes('get', '/v1/workspace')).toBeUndefined()
    expect(flatRoutes('get', '/v1/members')).toBeUndefined()
  })
})

test('an operation is in a workspace when its path names one', () => {
  expect(inWorkspace('get_workspace')).toBe(true)
  expect(inWorkspace('list_workspaces')).toBe(false)
})
