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
