import { expect, test } from 'vitest'
import {
  withEdit,
  problemLines,
  problemsOf,
  smallContract,
  type Breakage,
} from './small_contract.ts'

const refusal = (status: string) =>
  `        '${status}': { $ref: '#/components/responses/Refused' }\n`

const operations: Breakage[] = [
  {
    breaks: 'an operation without a name',
    edit: ['      operationId: create_thing\n', ''],
    at: 'post:\n      x-surface: management',
    says: 'POST /v1/workspaces/{workspaceId}/things: has no operationId',
  },
  {
    breaks: 'a name that is not snake_case',
    edit: ['operationId: create_thing', 'operationId: createThing'],
    at: 'operationId: createThing',
    says: 'createThing: the operationId is not snake_case',
  },
  {
    breaks: 'one name for two operations',
    edit: ['operationId: delete_thing', 'operationId: create_thing'],
    at: 'operationId: create_thing\n      x-surface: management\n      tags',
    says: 'create_thing: the operationId is already used by POST /v1/workspaces/{workspaceId}/things',
  },
  {
    breaks: 'an operation with two tags',
    edit: ['[things]\n      summary: Delete', '[things, session]\n      summary: Delete'],
    at: 'tags: [things, session]',
    says: 'delete_thing: needs exactly one tag, which names its handler file',
  },
  {
    breaks: 'an operation without a tag',
    edit: ['      tags: [things]\n      summary: Delete', '      summary: Delete'],
    at: 'delete:\n      operationId: delete_thing',
    says: 'delete_thing: needs exactly one tag, which names its handler file',
  },
  {
    breaks: 'an operation without a surface',
    edit: [
      '      x-surface: management\n      tags: [things]\n      summary: L',
      '      tags: [things]\n      summary: L',
    ],
    at: 'get:\n      operationId: list_things',
    says: 'list_things: needs an x-surface: management, experience, dashboard, admin',
  },
  {
    breaks: 'an unknown surface',
    edit: [
      'dashboard\n      tags: [session]\n      summary: Sign out',
      'desk\n      tags: [session]\n      summary: Sign out',
    ],
    at: 'x-surface: desk',
    says: 'delete_session: needs an x-surface: management, experience, dashboard, admin',
  },
  {
    breaks: 'an unknown vendor extension',
    edit: ['summary: Delete a thing', 'summary: Delete a thing\n      x-owner: me'],
    at: 'x-owner',
    says: 'delete_thing: x-owner is not a vendor extension that this contract allows here',
  },
  {
    breaks: 'a vendor extension outside an operation',
    edit: ['    Deleted:\n', '    Deleted:\n      x-tool: {}\n'],
    at: 'x-tool: {}',
    says: 'Deleted.x-tool: x-tool is not a vendor extension that this contract allows here',
  },
  {
    breaks: 'an operation without a summary',
    edit: ['      summary: Delete a thing\n', ''],
    at: 'delete:\n      operationId: delete_thing',
    says: 'delete_thing: has no summary',
  },
  {
    breaks: 'an operation without a description',
    edit: [
      'description: Ends the session of this cookie alone. Other sessions of the person live on.',
      "description: ''",
    ],
    at: "description: ''",
    says: 'delete_session: has no description',
  },
  {
    breaks: 'a description that is too short',
    edit: [' and takes it out of every list in which it stands.', '.'],
    at: 'description: Deletes a thing for good.',
    says: 'delete_thing: the description has 25 characters instead of 60 to 400',
  },
  {
    breaks: 'a description that is too long',
    edit: ['Deletes a thing for good', `Deletes ${'a'.repeat(400)} for good`],
    at: 'description: Deletes aaa',
    says: 'delete_thing: the description has 468 characters instead of 60 to 400',
  },
]

const access: Breakage[] = [
  {
    breaks: 'an operation without security',
    edit: [
      "      security: [{ accountKey: ['things:read'] }]\n      parameters:",
      '      parameters:',
    ],
    at: 'get:\n      operationId: list_things',
    says: 'list_things: has no security: name its scheme and scope, or write security: []',
  },
  {
    breaks: 'the security scheme of another surface',
    edit: ['x-surface: dashboard', 'x-surface: admin'],
    within: ['operationId: delete_session', 'components:\n'],
    at: '[{ dashboardSession',
    says: 'delete_session: the admin surface takes staffSession, not dashboardSession',
  },
  {
    breaks: 'two security schemes',
    edit: ['[{ dashboardSession: [] }]', '[{ dashboardSession: [] }, { accountKey: [] }]'],
    at: '[{ dashboardSession',
    says: 'delete_session: needs exactly one security scheme',
  },
  {
    breaks: 'a session with a scope',
    edit: ['dashboardSession: []', "dashboardSession: ['things:read']"],
    at: 'dashboardSession: [',
    says: 'delete_session: dashboardSession takes no scope',
  },
  {
    breaks: 'two scopes',
    edit: [
      "['things:read'] }]\n      parameters",
      "['things:read', 'things:write'] }]\n      parameters",
    ],
    at: "['things:read', 'things:write'] }]",
    says: 'list_things: needs exactly one scope',
  },
  {
    breaks: 'an unknown scope',
    edit: ["['things:read'] }]\n      parameters", "['things:see'] }]\n      parameters"],
    at: 'things:see',
    says: 'list_things: the scope things:see is not in the enum of Scope',
  },
  {
    breaks: 'a scope without an explanation',
    edit: ['        - `things:write`: Change things.\n', ''],
    at: 'description: |\n        What a key may do.',
    says: 'Scope.description: explains things:write in 0 lines instead of one',
  },
  {
    breaks: 'an explanation of an error code that does not exist',
    edit: ['`internal` (500)', '`intern` (500): Odd.\n        - `internal` (500)'],
    at: 'description: |\n        What went wrong.',
    says: 'ErrorCode.description: explains intern, which is not in the enum',
  },
  {
    breaks: 'a path parameter that is not declared',
    edit: ['/v1/whoami', '/v1/whoami/{name}'],
    at: 'get:\n      operationId: get_self',
    says: 'get_self: the path parameter name is not declared',
  },
  {
    breaks: 'a path parameter that the path does not have',
    edit: ['things/{id}:', 'things/one:'],
    at: 'delete:\n      operationId: delete_thing',
    says: 'delete_thing: the path parameter id is not in the path',
  },
]

const answers: Breakage[] = [
  ...['400', '500', '503'].map((status): Breakage => ({
    breaks: `an operation without a ${status}`,
    edit: [refusal(status), ''],
    within: ['delete_session', 'components:\n'],
    at: "responses:\n        '204': { description: Signed out",
    says: `delete_session: declares no response ${status}`,
  })),
  ...['401', '403', '404', '429'].map((status): Breakage => ({
    breaks: `an operation with a key and an id without a ${status}`,
    edit: [refusal(status), ''],
    within: ['delete_thing', 'whoami'],
    at: "responses:\n        '200':\n          description: What was deleted",
    says: `delete_thing: declares no response ${status}`,
  })),
  ...['413', '415'].map((status): Breakage => ({
    breaks: `an operation with a body without a ${status}`,
    edit: [refusal(status), ''],
    within: ['create_session', 'delete_session'],
    at: "responses:\n        '204': { description: Signed in",
    says: `create_session: declares no response ${status}`,
  })),
  {
    breaks: 'a response without X-Request-Id',
    edit: [', headers: { X-Request-Id: { schema: { type: string } } }', ''],
    within: ["'204': { description: Signed in", '\n'],
    at: "'204': { description: Signed in",
    says: 'create_session: the response 204 has no X-Request-Id',
  },
  {
    breaks: 'an error response that is not an ApiError',
    edit: [
      refusal('404'),
      "        '404': { description: Gone., headers: { X-Request-Id: { schema: { type: string } } } }\n",
    ],
    at: 'description: Gone',
    says: 'delete_thing: the response 404 is not an ApiError',
  },
  {
    breaks: 'an operation with two success responses',
    edit: [
      "        '204': { description: Signed out.",
      "        '202': { description: Soon., headers: { X-Request-Id: { schema: { type: string } } } }\n        '204': { description: Signed out.",
    ],
    at: "responses:\n        '202': { description: Soon",
    says: 'delete_session: needs exactly one 2xx response and has 2',
  },
  {
    breaks: 'an operation without a success response',
    edit: ["'204': { description: Signed out.", "'304': { description: Signed out."],
    at: "responses:\n        '304'",
    says: 'delete_session: needs exactly one 2xx response and has 0',
  },
]

const roles: Breakage[] = [
  {
    breaks: 'a role that there is not',
    edit: ['x-roles: [helper]', 'x-roles: [helper, boss]'],
    at: 'boss',
    says: 'the tag things: x-roles names boss, which is not in the enum of Role',
  },
  {
    breaks: 'an owner who is listed',
    edit: ['x-roles: [helper]', 'x-roles: [owner]'],
    at: 'owner]',
    says: 'the tag things: x-roles names owner, who may do everything',
  },
  {
    breaks: 'one role instead of a list',
    edit: ['x-roles: [helper]', 'x-roles: helper'],
    at: 'x-roles: helper',
    says: 'the tag things: x-roles is a list of helper, guest',
  },
  {
    breaks: 'roles of a tag with nothing for them',
    edit: ['{ name: session }', '{ name: session, x-roles: [helper] }'],
    at: 'x-roles: [helper] }\npaths',
    says: 'the tag session: x-roles opens nothing: the dashboard serves no operation of a workspace',
  },
  {
    breaks: 'roles of an operation alone',
    edit: ['summary: Delete a thing', 'summary: Delete a thing\n      x-roles: [helper]'],
    at: 'x-roles: [helper]\n',
    says: 'delete_thing: x-roles is not a vendor extension that this contract allows here',
  },
]

test('a contract that keeps every rule has no problem', async () => {
  expect(await problemLines(smallContract)).toEqual([])
})

test('all problems are reported at once, sorted by line', async () => {
  const nameless = withEdit(smallContract, 'operationId: create_thing', 'operationId: createThing')
  const text = withEdit(
    nameless,
    '    Code: { type: string, format: password, maxLength: 6, description: Mailed. }',
    '    Code: { type: string, description: Mailed. }',
  )
  const lines = text.split('\n')
  expect(await problemLines(text)).toEqual([
    `${lines.indexOf('      operationId: createThing') + 1} createThing: the operationId is not snake_case`,
    `${lines.indexOf('    Code: { type: string, description: Mailed. }') + 1} Code: is an incoming string without maxLength`,
  ])
})

for (const breakage of [operations, access, answers, roles].flat()) {
  test(`refuses ${breakage.breaks}, naming operation and line`, async () => {
    const { actual, expected } = await problemsOf(breakage)
    expect(actual).toEqual(expected)
  })
}
