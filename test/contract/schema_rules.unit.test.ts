import { expect, test } from 'vitest'
import { problemsOf, type Breakage } from './small_contract.ts'

const schemas: Breakage[] = [
  {
    breaks: 'a limit beside a reference',
    edit: ["schemas/Code' }", "schemas/Code', maxLength: 6 }"],
    at: 'mailedCode: {',
    says: 'create_session requestBody.content.application/json.schema.properties.mailedCode: has maxLength beside a $ref, where it is ignored',
  },
  {
    breaks: 'an open object in a response',
    edit: [
      '    Deleted:\n      type: object\n      additionalProperties: false\n',
      '    Deleted:\n      type: object\n',
    ],
    at: '    Deleted:',
    says: 'Deleted: is an open object: add additionalProperties: false',
  },
  {
    breaks: 'an object that allows anything',
    edit: ['additionalProperties: { type: string, maxLength: 10 }', 'additionalProperties: true'],
    at: 'labels:\n',
    says: 'ThingCreate.labels: is an open object: add additionalProperties: false',
  },
  {
    breaks: 'an open inline object',
    edit: [
      '              type: object\n              additionalProperties: false\n              properties:\n                mailed',
      '              type: object\n              properties:\n                mailed',
    ],
    at: 'schema:\n              type: object',
    says: 'create_session requestBody.content.application/json.schema: is an open object: add additionalProperties: false',
  },
  {
    breaks: 'an incoming map without a limit',
    edit: ['          maxProperties: 5\n', ''],
    at: 'labels:\n',
    says: 'ThingCreate.labels: is an incoming map without maxProperties',
  },
  {
    breaks: 'an incoming string without a limit',
    edit: ['format: password, maxLength: 6', 'format: password'],
    at: '    Code: {',
    says: 'Code: is an incoming string without maxLength',
  },
  {
    breaks: 'an incoming string of a map without a limit',
    edit: ['{ type: string, maxLength: 10 }', '{ type: string }'],
    at: 'additionalProperties: { type: string }',
    says: 'ThingCreate.labels.additionalProperties: is an incoming string without maxLength',
  },
  {
    breaks: 'an incoming array without a limit',
    edit: ['          maxItems: 3\n', ''],
    at: 'parts:\n',
    says: 'ThingCreate.parts: is an incoming array without maxItems',
  },
  {
    breaks: 'an incoming number without a maximum',
    edit: ['minimum: 0, maximum: 9', 'minimum: 0'],
    at: 'weight: {',
    says: 'ThingCreate.weight: is an incoming number without minimum and maximum',
  },
  {
    breaks: 'a parameter without a minimum',
    edit: ['minimum: 1, maximum: 1000', 'maximum: 1000'],
    at: 'maximum: 1000',
    says: 'list_things parameters.0.schema: is an incoming number without minimum and maximum',
  },
  {
    breaks: 'a header without a limit',
    edit: [
      '        - name: kind\n',
      '        - { name: X-Trace, in: header, schema: { type: string } }\n        - name: kind\n',
    ],
    at: 'X-Trace',
    says: 'list_things parameters.1.schema: is an incoming string without maxLength',
  },
  {
    breaks: 'an incoming value of any type',
    edit: ['weight: { type: number, minimum: 0, maximum: 9, description', 'weight: { description'],
    at: 'weight: {',
    says: 'ThingCreate.weight: is an incoming value without a type',
  },
  {
    breaks: 'a misspelt keyword',
    edit: ['maxProperties: 5', 'maxProperties: 5\n          minPropertys: 1'],
    at: 'minPropertys',
    says: 'ThingCreate.labels.minPropertys: minPropertys is not a schema keyword',
  },
  {
    breaks: 'a pattern that other engines refuse',
    edit: [
      'name: { type: string, maxLength: 20,',
      String.raw`name: { type: string, maxLength: 20, pattern: '^\P{Cc}*$',`,
    ],
    at: String.raw`pattern: '^\P{Cc}*$'`,
    says: String.raw`ThingCreate.name: has \p{…} in its pattern, which many engines refuse`,
  },
  {
    breaks: 'a constant without a type',
    edit: ['name: { type: string, description: Its', 'name: { const: Lamp, description: Its'],
    at: 'name: { const: Lamp',
    says: 'Thing.name: has a const without a type',
  },
  {
    breaks: 'bytes that generators read as text',
    edit: [
      '{ type: string, maxLength: 10 }',
      '{ type: string, contentMediaType: a/b, maxLength: 10 }',
    ],
    at: 'contentMediaType',
    says: 'ThingCreate.labels.additionalProperties: has contentMediaType: write bytes as type: string, format: binary',
  },
  {
    breaks: 'a list in a query that repeats its name',
    edit: ['          explode: true\n', ''],
    at: '- name: kind',
    says: 'list_things: is a list without explode: true, which most clients need',
  },
  {
    breaks: 'a property without a description',
    edit: [', description: In kilograms. }', ' }'],
    at: 'weight: {',
    says: 'ThingCreate.weight: has no description',
  },
  {
    breaks: 'a parameter with the name of a schema',
    edit: [
      '  examples:\n    ThingCreate:',
      '    Id: { name: id, in: path, required: true, schema: { type: string, maxLength: 9 } }\n  examples:\n    ThingCreate:',
    ],
    at: 'Id: { name: id',
    says: 'parameters.Id: has the name of a schema',
  },
]

const examples: Breakage[] = [
  {
    breaks: 'an example of a request that does not match',
    edit: ["example: { mailedCode: '123456' }", "example: { mailedCode: '1234567' }"],
    at: "mailedCode: '1234567'",
    says: 'create_session: the example does not match its schema: /mailedCode must NOT have more than 6 characters',
  },
  {
    breaks: 'a shared example that does not match',
    edit: ['weight: 2,', 'weight: 20,'],
    at: 'examples: { plain: { $ref',
    says: 'create_thing: the example plain does not match its schema: /weight must be <= 9',
  },
  {
    breaks: 'an example of a response that does not match',
    edit: ['example: { things: [] }', 'example: { things: [{ id: 1 }] }'],
    at: 'example: { things: [{',
    says: "list_things: the example does not match its schema: /things/0 must have required property 'name'",
  },
  {
    breaks: 'an example of a parameter that does not match',
    edit: ['example: thing_1\n', 'example: 0\n'],
    at: 'example: 0\n',
    says: 'delete_thing: the example does not match its schema: must be string',
  },
  {
    breaks: 'an example in a schema that does not match',
    edit: ['example: A lamp at night', 'example: 5'],
    at: 'example: 5',
    says: 'ThingCreate.example.example: the example does not match its schema: must be string',
  },
  {
    breaks: 'a default that does not match',
    edit: ["default: ''", 'default: null'],
    at: 'default: null',
    says: 'ThingCreate.example.default: the default does not match its schema: must be string',
  },
  {
    breaks: 'a request body without an example',
    edit: ["            example: { mailedCode: '123456' }\n", ''],
    at: 'requestBody:\n        required: true\n        content:\n          application/json:\n            schema:\n',
    says: 'create_session: the JSON request body has no example',
  },
  {
    breaks: 'a response without an example',
    edit: ['              example: { id: acc_1 }\n', ''],
    at: "'200':\n          description: You.",
    says: 'get_self: the JSON response 200 has no example',
  },
]

const sentExamples: Breakage[] = [
  {
    breaks: 'an example of an optional parameter',
    edit: [
      '          schema: { type: integer, minimum: 1, maximum: 1000, default: 1 }\n',
      '          schema: { type: integer, minimum: 1, maximum: 1000, default: 1 }\n          example: 2\n',
    ],
    at: '- name: page',
    says: 'list_things: is optional and has an example',
  },
  {
    breaks: 'a required parameter without an example',
    edit: ['          example: thing_1\n', ''],
    within: ['operationId: delete_thing', 'responses:'],
    at: '- name: id\n',
    says: 'delete_thing: is required and has no example',
  },
  {
    breaks: 'examples of a request and its response that are not paired',
    edit: ['examples: { plain: { value', 'examples: { other: { value'],
    at: 'post:\n      operationId: create_thing',
    says: 'create_thing: names the examples of its body and its response differently',
  },
  {
    breaks: 'an id of another resource',
    edit: ['gone: { value: { id: thing_1 } }', 'gone: { value: { id: key_1 } }'],
    at: 'delete:\n      operationId: delete_thing',
    says: 'delete_thing: answers key_1, which is not an id of its path',
  },
]

const refusals: Breakage[] = [
  {
    breaks: 'an unknown error code',
    edit: ['{ idempotent: true }', '{ idempotent: true }\n      x-codes: [no_luck]'],
    at: 'x-codes',
    says: 'create_thing: no_luck is not in the enum of ErrorCode',
  },
  {
    breaks: 'an error code whose status is not declared',
    edit: ['{ idempotent: true }', '{ idempotent: true }\n      x-codes: [not_found]'],
    at: 'x-codes',
    says: 'create_thing: not_found needs a response 404',
  },
  {
    breaks: 'an error code that goes without saying',
    edit: ['{ idempotent: true }', '{ idempotent: true }\n      x-codes: [rate_limited]'],
    at: 'x-codes',
    says: 'create_thing: rate_limited follows from the operation and need not be listed',
  },
  {
    breaks: 'an error code without an example',
    edit: [
      "    unavailable: { value: { status: 503, code: unavailable, message: 'Refused.' } }\n",
      '',
    ],
    at: "'503': { $ref: '#/components/responses/Refused' }\n  /v1/workspaces/{workspaceId}/things/{id}",
    says: 'create_thing: needs components.examples.unavailable, an example of its code',
  },
]

const tools: Breakage[] = [
  {
    breaks: 'an unknown tool setting',
    edit: ['{ idempotent: true }', '{ quick: true }'],
    at: 'quick: true',
    says: 'create_thing: x-tool has no boolean setting quick',
  },
  {
    breaks: 'a summary of fields that the rows do not have',
    edit: ['summary: List things', 'summary: List things\n      x-tool: { summary: [id, shade] }'],
    at: '[id, shade]',
    says: 'list_things: the rows have no field shade',
  },
  {
    breaks: 'a summary that no view asks for',
    edit: ['summary: List things', 'summary: List things\n      x-tool: { summary: [id] }'],
    at: '[id] }',
    says: 'list_things: a summary needs a parameter view',
  },
  {
    breaks: 'tool settings outside the management surface',
    edit: ['summary: Sign out', 'summary: Sign out\n      x-tool: { none: true }'],
    at: 'x-tool: { none',
    says: 'delete_session: only management operations may have x-tool',
  },
  {
    breaks: 'a tool that is both only and none',
    edit: ['{ only: true }', '{ only: true, none: true }'],
    at: 'x-tool: { only',
    says: 'get_self: x-tool cannot be both only and none',
  },
  {
    breaks: 'a tool whose response is not a plain object',
    edit: ['required: [things]', 'anyOf: [{ required: [things] }]'],
    at: "'200':\n          description: The things",
    says: "list_things: a tool's response must be a plain JSON object",
  },
  {
    breaks: 'a tool whose schema contains itself',
    edit: [
      "items: { $ref: '#/components/schemas/Id' }",
      "items: { $ref: '#/components/schemas/ThingCreate' }",
    ],
    at: 'post:\n      operationId: create_thing',
    says: 'create_thing: a tool cannot use #/components/schemas/ThingCreate, which contains itself',
  },
  {
    breaks: 'a tool whose body is not JSON',
    edit: [
      "          application/json:\n            schema: { $ref: '#/components/schemas/ThingCreate' }",
      "          text/csv:\n            schema: { $ref: '#/components/schemas/ThingCreate' }",
    ],
    at: 'requestBody:\n        required: true\n        content:\n          text/csv',
    says: "create_thing: a tool's body must be application/json",
  },
]

const shape: Breakage[] = [
  {
    breaks: 'a YAML alias',
    edit: [
      "enum: ['things:read', 'things:write']",
      "enum: &all ['things:read', 'things:write']\n    Copy: { type: string, enum: *all }",
    ],
    at: 'Copy:',
    says: 'Copy.enum: is the YAML alias *all: use a $ref',
  },
  {
    breaks: 'a dangling reference',
    edit: [
      "items: { $ref: '#/components/schemas/Kind' }",
      "items: { $ref: '#/components/schemas/Sort' }",
    ],
    at: '#/components/schemas/Sort',
    says: 'list_things parameters.1.schema.items.$ref: refers to #/components/schemas/Sort, which does not exist in this file',
  },
  {
    breaks: 'a reference to another file',
    edit: ["items: { $ref: '#/components/schemas/Kind' }", 'items: { $ref: kinds.yaml }'],
    at: 'kinds.yaml',
    says: 'list_things parameters.1.schema.items.$ref: refers to kinds.yaml, which does not exist in this file',
  },
  {
    breaks: 'a reference to itself',
    edit: [
      '    Kind: { type: string, enum: [BIG, SMALL] }',
      "    Kind: { $ref: '#/components/schemas/Kind' }",
    ],
    at: '    Kind:',
    says: 'Kind.$ref: refers to #/components/schemas/Kind, which leads back here',
  },
  {
    breaks: 'an invalid JSON Schema',
    edit: ['maxItems: 3', 'maxItems: three'],
    at: 'maxItems: three',
    says: 'ThingCreate.parts.maxItems: must be integer (integer)',
  },
  {
    breaks: 'an invalid OpenAPI object',
    edit: ['accountKey: { type: http, scheme: bearer }', 'accountKey: { type: http }'],
    at: 'accountKey: { type: http }',
    says: "securitySchemes.accountKey: must have required property 'scheme' (scheme)",
  },
  {
    breaks: 'another version of OpenAPI',
    edit: ['openapi: 3.1.0', 'openapi: 3.0.3'],
    at: 'openapi: 3.0.3',
    says: 'openapi: must be OpenAPI 3.1',
  },
  {
    breaks: 'invalid YAML',
    edit: ['  - { name: session }', '  - { name: session'],
    at: 'paths:\n',
    says: 'YAML: Flow map in block collection must be sufficiently indented and end with a }',
  },
]

for (const breakage of [schemas, examples, sentExamples, refusals, tools, shape].flat()) {
  test(`refuses ${breakage.breaks}, naming place and line`, async () => {
    const { actual, expected } = await problemsOf(breakage)
    expect(actual).toEqual(expected)
  })
}
