import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/core/errors.ts'
import { requireOrigins } from '../../../src/domain/site/embedding.ts'

/** The fields that are refused of these origins. */
function refusedOf(origins: string[], environment: 'development' | 'production'): string[] {
  try {
    requireOrigins('embedOrigins', origins, environment)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect([error.status, error.code]).toEqual([400, 'invalid_input'])
    return Object.keys(error.fieldErrors ?? {})
  }
}

const loopback = ['http://localhost:5173', 'http://127.0.0.1:3003', 'http://[::1]']
const never = [
  'http://shop.example',
  'http://localhost.example',
  'https://shop.example/',
  'null',
  'https://*.example',
]
const always = ['https://shop.example', 'https://localhost:5173']

const fieldsOf = (origins: string[]) => origins.map((_, index) => `embedOrigins.${index}`)

describe('the pages that may show a widget', () => {
  test('are those of this machine, too, in development alone', () => {
    expect(refusedOf([...loopback, ...always], 'development')).toEqual([])
    expect(refusedOf([...loopback, ...always], 'production')).toEqual(fieldsOf(loopback))
  })

  test.each(['development', 'production'] as const)(
    'are at an https origin as browsers write it in %s',
    (environment) => expect(refusedOf(never, environment)).toEqual(fieldsOf(never)),
  )
})
