import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/core/errors.ts'
import { translateDatabaseError } from '../../src/db/constraints.ts'

const violation = (constraint: string) =>
  Object.assign(new Error('duplicate key value'), { code: '23505', constraint })

describe('a violated unique constraint', () => {
  test.each(['products_workspace_sku_key', 'products_workspace_sku_key_102072'])(
    '%s is the duplicate that it means, on a shard too',
    (constraint) => {
      const refusal = translateDatabaseError(violation(constraint))
      expect(refusal).toBeInstanceOf(ApiError)
      expect(refusal).toMatchObject({ code: 'duplicate', fieldErrors: { sku: 'productSkuTaken' } })
    },
  )

  test('without a meaning to callers stays what it is', () => {
    const error = violation('tags_pkey_102072')
    expect(translateDatabaseError(error)).toBe(error)
  })
})

describe('a node of a distributed database that is lost', () => {
  test.each([
    'failure on connection marked as essential: 127.0.0.1:5433',
    'server closed the connection unexpectedly\n\tThis probably means the server terminated',
    'could not receive data from server: Connection reset by peer',
  ])('is an outage: %s', (message) => {
    const error = Object.assign(new Error(message), { code: 'XX000' })
    expect(translateDatabaseError(error)).toMatchObject({ code: 'unavailable', retryAfter: 5 })
  })

  test('in the middle of a statement is an outage', () => {
    const error = Object.assign(new Error('failed to COPY to shard 0'), { code: '58030' })
    expect(translateDatabaseError(error)).toMatchObject({ code: 'unavailable' })
  })

  test('is not any other internal error', () => {
    const error = Object.assign(new Error('cache lookup failed'), { code: 'XX000' })
    expect(translateDatabaseError(error)).toBe(error)
  })
})

describe('a socket in the file system that is gone', () => {
  const missing = (syscall: string) =>
    Object.assign(new Error(syscall), { code: 'ENOENT', syscall })

  test('is an outage', () => {
    expect(translateDatabaseError(missing('connect'))).toMatchObject({ code: 'unavailable' })
  })

  test('is not just any missing file', () => {
    const error = missing('open')
    expect(translateDatabaseError(error)).toBe(error)
  })
})
