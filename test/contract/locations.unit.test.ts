import { describe, expect, test } from 'vitest'
import { operations } from '../../src/generated/operations.ts'

/** What these make is shown once, is several resources, or has no path of its own. */
const without = [
  'create_checkout',
  'create_contact_request',
  'create_feedback',
  'create_media_upload',
  'create_session',
  'create_staff_session',
]

describe('Location', () => {
  test('is the path of what every create makes', () => {
    const creates = Object.entries(operations).filter(([id]) =>
      /^(create|add_member|import)/.test(id),
    )
    const lacking = creates.filter(([, { location }]) => location === null).map(([id]) => id)
    expect(lacking.sort()).toEqual(without)
  })

  test('is a path of the contract, with the new id where another operation takes it', () => {
    const paths = new Set<string>(Object.values(operations).map(({ path }) => path))
    for (const { location } of Object.values(operations))
      if (location !== null)
        expect(paths).toContain(
          location === '/v1/workspaces/{#id}/workspace'
            ? location.replace('{#id}', '{workspaceId}')
            : location.replace('{#id}', '{id}'),
        )
  })
})
