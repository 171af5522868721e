import { expect, test } from 'vitest'
import { readContract } from '../../codegen/contract.ts'
import { emitDocument, emitPublicDocument } from '../../codegen/public_document.ts'
import { emitTools } from '../../codegen/tools.ts'
import { problemLines, smallContract, withEdit } from './small_contract.ts'

/** The schema of things, open for clients, with another object inside it and one beside it. */
const withOpenThing = withEdit(
  smallContract,
  `    Thing:
      type: object
      additionalProperties: false
      required: [id, name, secret]
      properties:
`,
  `    Thing:
      type: object
      x-open: true
      additionalProperties: false
      required: [id, name, secret]
      properties:
        size:
          description: In all directions.
          type: object
          additionalProperties: false
          properties: { height: { type: integer, description: In metres. } }
        counts:
          description: By place.
          type: object
          additionalProperties: { type: integer }
        gone: { $ref: '#/components/schemas/Deleted', description: What it replaced. }
`,
)

interface Schema {
  additionalProperties?: unknown
  properties: Record<string, Schema>
}

const openOf = (schema: Schema) => [
  schema.additionalProperties,
  schema.properties.size!.additionalProperties,
  schema.properties.counts!.additionalProperties,
]

test('a schema marked x-open is open for clients and closed inside the house', async () => {
  expect(await problemLines(withOpenThing)).toEqual([])
  const contract = (await readContract(withOpenThing)).contract!
  const schemasOf = (text: string) =>
    (JSON.parse(text) as { components: { schemas: Record<string, Schema> } }).components.schemas
  const own = schemasOf(emitDocument(contract))
  expect(openOf(own.Thing!)).toEqual([false, false, { type: 'integer' }])

  const text = emitPublicDocument(contract)
  expect(text).not.toContain('x-open')
  const published = schemasOf(text)
  expect(openOf(published.Thing!)).toEqual([undefined, undefined, { type: 'integer' }])
  // It refers to this one, which has no mark.
  expect(published.Deleted!.additionalProperties).toBe(false)
})

test('a tool answers it open, too, and takes only what it knows', async () => {
  const contract = (await readContract(withOpenThing)).contract!
  const text = emitTools(contract)
  expect(text).not.toContain('x-open')
  const tools = JSON.parse(text) as { name: string; inputSchema: Schema; outputSchema: Schema }[]
  const { inputSchema, outputSchema } = tools.find(({ name }) => name === 'create_thing')!
  expect(openOf(outputSchema)).toEqual([undefined, undefined, { type: 'integer' }])
  expect(outputSchema.properties.gone!.additionalProperties).toBe(false)
  expect(inputSchema.properties.data!.additionalProperties).toBe(false)
})

test('what callers send cannot be open', async () => {
  const text = withEdit(
    smallContract,
    '    ThingCreate:\n',
    '    ThingCreate:\n      x-open: true\n',
  )
  const line = text.split('\n').indexOf('    ThingCreate:') + 1
  expect(await problemLines(text)).toEqual([`${line} ThingCreate: has x-open, but callers send it`])
})

test('the mark stands on a component alone', async () => {
  const place = '              schema:\n                type: object\n'
  const text = withEdit(smallContract, place, `${place}                x-open: true\n`)
  const line = text.split('\n').indexOf('                x-open: true') + 1
  expect(await problemLines(text)).toEqual([
    expect.stringMatching(
      new RegExp(`^${line} .*x-open is not a vendor extension that this contract allows here$`),
    ),
  ])
})
