import { expect, test } from 'vitest'
import { problemLines, smallContract, withEdit } from './small_contract.ts'

test('parts of a closed schema need not be closed', async () => {
  const text = withEdit(
    smallContract,
    '    ThingCreate:\n      type: object\n      additionalProperties: false\n',
    `    Named: { type: object, properties: { nick: { type: string, maxLength: 9, description: Short. } } }
    ThingCreate:
      type: object
      unevaluatedProperties: false
      allOf: [{ $ref: '#/components/schemas/Named' }]
      if: { required: [parts] }
      then: { properties: { weight: { maximum: 3 } } }
`,
  )
  expect(await problemLines(text)).toEqual([])
})

test('a schema that is open in any of its uses is refused', async () => {
  const text = withEdit(
    smallContract,
    '        parts:\n',
    `        more: { $ref: '#/components/schemas/Named', description: One. }
        other:
          description: Another.
          type: object
          unevaluatedProperties: false
          allOf: [{ $ref: '#/components/schemas/Named' }]
        parts:
`,
  ).replace('    Deleted:', '    Named: { type: object, properties: {} }\n    Deleted:')
  const line = text.split('\n').indexOf('    Named: { type: object, properties: {} }') + 1
  expect(await problemLines(text)).toEqual([
    `${line} Named: is an open object: add additionalProperties: false`,
  ])
})
