import { describe, expect, test } from 'vitest'
import { readContract } from '../../codegen/contract.ts'
import type { Node } from '../../codegen/document.ts'
import { problemLines, smallContract, withEdit } from './small_contract.ts'

const inCreate = '#/components/schemas/ThingCreate/properties'

/** The small contract with a schema that is sent beside ThingCreate, and other schemas. */
function withSchemas(sent: string, others = ''): string {
  const body = withEdit(
    smallContract,
    "            schema: { $ref: '#/components/schemas/ThingCreate' }",
    "            schema: { anyOf: [{ $ref: '#/components/schemas/ThingCreate' }, { $ref: '#/components/schemas/ThingPatch' }] }",
  )
  const patch = `    ThingPatch:
      type: object
      additionalProperties: false
      properties:
        ${sent}
`
  return withEdit(body, '    Role: {', `${patch}${others}    Role: {`)
}

async function componentsOf(text: string): Promise<Record<'schemas' | 'examples', Node>> {
  const { contract, problems } = await readContract(text)
  expect(problems).toEqual([])
  return contract!.document.components as Record<'schemas' | 'examples', Node>
}

async function propertiesOf(text: string, schema: string): Promise<unknown> {
  return ((await componentsOf(text)).schemas[schema] as Node).properties
}

describe('a reference to a field of another schema', () => {
  test('stands for the field, with what is written beside it', async () => {
    const text = withSchemas(`name: { $ref: '${inCreate}/name' }
        example: { $ref: '${inCreate}/example', description: Another. }
        parts: { $ref: '${inCreate}/parts', default: [] }`)
    expect(await propertiesOf(text, 'ThingPatch')).toEqual({
      name: { type: 'string', maxLength: 20, description: 'Shown to all. In any script.' },
      example: {
        type: 'string',
        maxLength: 30,
        default: '',
        example: 'A lamp at night',
        description: 'Another.',
      },
      parts: {
        description: 'What it is made of.',
        type: 'array',
        maxItems: 3,
        items: { $ref: '#/components/schemas/Id' },
        default: [],
      },
    })
  })

  test('a field that is a component stays one, unless a default stands beside the reference', async () => {
    const maker = '#/components/schemas/ThingPatch/properties/maker'
    const text = withSchemas(
      `maker: { $ref: '#/components/schemas/Id', description: Who made it. }`,
      `    Made:
      type: object
      additionalProperties: false
      properties:
        maker: { $ref: '${maker}' }
        seller: { $ref: '${maker}', default: mak_1 }
`,
    )
    expect(await propertiesOf(text, 'Made')).toEqual({
      maker: { $ref: '#/components/schemas/Id', description: 'Who made it.' },
      seller: {
        type: 'string',
        minLength: 1,
        maxLength: 160,
        description: 'Who made it.',
        default: 'mak_1',
      },
    })
  })

  test('an answer has the field without its limits', async () => {
    const text = withEdit(
      smallContract,
      'name: { type: string, description: Its name. }',
      `name: { $ref: '${inCreate}/name' }\n        weight: { $ref: '${inCreate}/weight' }`,
    )
    expect(await propertiesOf(text, 'Thing')).toMatchObject({
      name: { type: 'string', description: 'Shown to all. In any script.' },
      weight: { type: 'number', minimum: 0, description: 'In kilograms.' },
    })
    expect(JSON.stringify(await propertiesOf(text, 'Thing'))).not.toContain('"max')
  })

  test('an example can start from another', async () => {
    const example =
      "Heavier: { value: { $ref: '#/components/examples/ThingCreate/value', weight: 3 } }"
    const text = withEdit(
      smallContract,
      '    ThingCreate: { value:',
      `    ${example}\n    ThingCreate: { value:`,
    )
    expect((await componentsOf(text)).examples['Heavier']).toEqual({
      value: { name: 'Lamp', weight: 3, labels: { 'x-colour': 'red' } },
    })
  })

  test('one to a field that does not exist is reported where it is written', async () => {
    const lines = await problemLines(withSchemas(`name: { $ref: '${inCreate}/nothing' }`))
    expect(lines).toEqual([
      expect.stringMatching(
        /^\d+ ThingPatch\.name\.\$ref: refers to .*nothing, which does not exist/,
      ),
    ])
  })
})

describe('the limits of a field', () => {
  test('must be the same in all schemas by which one resource is written', async () => {
    const lines = await problemLines(
      withSchemas(`name: { type: string, maxLength: 21, description: Shown to all. }
        example: { type: string, maxLength: 30, description: The same. }`),
    )
    expect(lines).toEqual([
      expect.stringMatching(
        /^\d+ ThingPatch\.name: has other limits than in ThingCreate: write \$ref: '#\/components\/schemas\/ThingCreate\/properties\/name'$/,
      ),
    ])
  })
})
