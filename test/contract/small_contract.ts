import { readContract } from '../../codegen/contract.ts'

const errors = (...statuses: string[]) =>
  statuses
    .map((status) => `'${status}': { $ref: '#/components/responses/Refused' }`)
    .join('\n        ')

/** One code for each status that a call of this contract can be refused with, and one more. */
const others = [
  { code: 'unauthenticated', status: 401 },
  { code: 'insufficient_scope', status: 403 },
  { code: 'not_found', status: 404 },
  { code: 'payload_too_large', status: 413 },
  { code: 'unsupported_media_type', status: 415 },
  { code: 'rate_limited', status: 429 },
  { code: 'quota_exceeded', status: 429 },
  { code: 'unavailable', status: 503 },
]
const refusals = [
  { code: 'invalid_input', status: 400 },
  ...others,
  { code: 'internal', status: 500 },
]
const sentences: Record<string, string> = {
  insufficient_scope: 'You lack {scope}.',
  not_found: 'There is no such {noun}.',
}

/** A small contract that follows every rule. */
export const smallContract = `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
tags:
  - { name: things, x-roles: [helper] }
  - { name: session }
paths:
  /v1/workspaces/{workspaceId}/things:
    parameters:
      - { $ref: '#/components/parameters/WorkspaceId' }
    get:
      operationId: list_things
      x-surface: management
      tags: [things]
      summary: List things
      description: Every thing of the workspace, newest first. Ids for the other calls come from here.
      security: [{ accountKey: ['things:read'] }]
      parameters:
        - name: page
          in: query
          description: The page, from 1. Beyond the last it is empty.
          schema: { type: integer, minimum: 1, maximum: 1000, default: 1 }
        - name: kind
          in: query
          description: Only these kinds.
          style: form
          explode: true
          schema: { type: array, maxItems: 2, items: { $ref: '#/components/schemas/Kind' } }
      responses:
        '200':
          description: The things.
          headers: { X-Request-Id: { schema: { type: string } } }
          content:
            application/json:
              schema:
                type: object
                additionalProperties: false
                required: [things]
                properties:
                  things:
                    description: Newest first.
                    type: array
                    items: { $ref: '#/components/schemas/Thing' }
              example: { things: [] }
        ${errors('400', '401', '403', '429', '500', '503')}
    post:
      operationId: create_thing
      x-surface: management
      x-tool: { idempotent: true }
      tags: [things]
      summary: Create a thing
      description: Adds a thing to the workspace. Its name need not be unique, so check for doubles first.
      security: [{ accountKey: ['things:write'] }]
      parameters:
        - { name: Idempotency-Key, in: header, schema: { type: string, maxLength: 255 } }
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/ThingCreate' }
            examples: { plain: { $ref: '#/components/examples/ThingCreate' } }
      responses:
        '200':
          description: The thing.
          headers: { X-Request-Id: { schema: { type: string } } }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Thing' }
              examples: { plain: { value: { id: thing_1, name: Lamp, secret: null } } }
        ${errors('400', '401', '403', '413', '415', '429', '500', '503')}
  /v1/workspaces/{workspaceId}/things/{id}:
    delete:
      operationId: delete_thing
      x-surface: management
      tags: [things]
      summary: Delete a thing
      description: Deletes a thing for good and takes it out of every list in which it stands.
      security: [{ accountKey: ['things:write'] }]
      parameters:
        - { $ref: '#/components/parameters/WorkspaceId' }
        - name: id
          in: path
          required: true
          schema: { $ref: '#/components/schemas/Id', description: From list_things. Opaque. }
          example: thing_1
      responses:
        '200':
          description: What was deleted.
          headers: { X-Request-Id: { schema: { type: string } } }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Deleted' }
              examples: { gone: { value: { id: thing_1 } } }
        ${errors('400', '401', '403', '404', '429', '500', '503')}
  /v1/whoami:
    get:
      operationId: get_self
      x-surface: management
      x-tool: { only: true }
      tags: [session]
      summary: Get yourself
      description: Who the agent acts for. There is no REST route for it, only a tool for agents.
      security: [{ accountKey: ['things:read'] }]
      responses:
        '200':
          description: You.
          headers: { X-Request-Id: { schema: { type: string } } }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Deleted' }
              example: { id: acc_1 }
        ${errors('400', '401', '403', '429', '500', '503')}
  /api/session:
    post:
      operationId: create_session
      x-surface: dashboard
      tags: [session]
      summary: Sign in
      description: Signs a person in with the code that was mailed to them, and sets the cookie.
      security: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              properties:
                mailedCode: { $ref: '#/components/schemas/Code' }
            example: { mailedCode: '123456' }
      responses:
        '204': { description: Signed in., headers: { X-Request-Id: { schema: { type: string } } } }
        ${errors('400', '413', '415', '500', '503')}
    delete:
      operationId: delete_session
      x-surface: dashboard
      tags: [session]
      summary: Sign out
      description: Ends the session of this cookie alone. Other sessions of the person live on.
      security: [{ dashboardSession: [] }]
      responses:
        '204': { description: Signed out., headers: { X-Request-Id: { schema: { type: string } } } }
        ${errors('400', '401', '403', '429', '500', '503')}
components:
  securitySchemes:
    accountKey: { type: http, scheme: bearer }
    dashboardSession: { type: apiKey, in: cookie, name: session }
  parameters:
    WorkspaceId:
      name: workspaceId
      in: path
      required: true
      schema: { $ref: '#/components/schemas/Id' }
      example: ws_1
  examples:
    ThingCreate: { value: { name: Lamp, weight: 2, labels: { x-colour: red } } }
    ${refusals.map(({ code, status }) => `${code}: { value: { status: ${status}, code: ${code}, message: '${sentences[code] ?? 'Refused.'}' } }`).join('\n    ')}
  responses:
    Refused:
      description: Refused.
      headers:
        X-Request-Id: { schema: { type: string } }
        Retry-After: { schema: { type: string } }
      content:
        application/json:
          schema: { $ref: '#/components/schemas/ApiError' }
  schemas:
    Id: { type: string, minLength: 1, maxLength: 160, description: An id. }
    Code: { type: string, format: password, maxLength: 6, description: Mailed. }
    Kind: { type: string, enum: [BIG, SMALL] }
    Deleted:
      type: object
      additionalProperties: false
      required: [id]
      properties:
        id: { type: string, description: Its id. }
    Thing:
      type: object
      additionalProperties: false
      required: [id, name, secret]
      properties:
        id: { type: string, description: Its id. }
        name: { type: string, description: Its name. }
        secret: { type: [string, 'null'], format: password, description: Its secret. }
    ThingCreate:
      type: object
      additionalProperties: false
      required: [name]
      properties:
        name: { type: string, maxLength: 20, description: Shown to all. In any script. }
        example: { type: string, maxLength: 30, default: '', example: A lamp at night, description: One of them. }
        weight: { type: number, minimum: 0, maximum: 9, description: In kilograms. }
        parts:
          description: What it is made of.
          type: array
          maxItems: 3
          items: { $ref: '#/components/schemas/Id' }
        labels:
          description: Anything else.
          type: object
          maxProperties: 5
          additionalProperties: { type: string, maxLength: 10 }
    Role: { type: string, enum: [owner, helper, guest] }
    Scope:
      description: |
        What a key may do.
        - \`things:read\`: See things.
        - \`things:write\`: Change things.
      type: string
      enum: ['things:read', 'things:write']
    ErrorCode:
      description: |
        What went wrong.
        - \`invalid_input\` (400): A field isn't valid.
        ${others.map(({ code, status }) => `- \`${code}\` (${status}): Refused.`).join('\n        ')}
        - \`internal\` (500): A fault of ours.
      type: string
      enum: [${refusals.map(({ code }) => code).join(', ')}]
    ApiError:
      type: object
      additionalProperties: false
      properties:
        status: { type: integer, description: Once more. }
        code: { $ref: '#/components/schemas/ErrorCode' }
        message: { type: string, description: For people. }
`

/** The text with one place changed. Throws unless `from` occurs exactly once. */
export function withEdit(text: string, from: string, to: string): string {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`${parts.length - 1} occurrences of: ${from}`)
  return parts.join(to)
}

/** One change to the small contract, and the one problem it causes. */
export interface Breakage {
  breaks: string
  edit: [from: string, to: string]
  /** Limits the edit to the part between these texts, if `from` also occurs elsewhere. */
  within?: [from: string, to: string]
  /** A text that occurs once in the broken contract, on the reported line. */
  at: string
  says: string
}

/** The expected and the actual problems of a breakage. */
export async function problemsOf({ edit, within, at, says }: Breakage) {
  const [start, end] = within ?? ['', '']
  const from = smallContract.indexOf(start)
  const to = within ? smallContract.indexOf(end, from) : smallContract.length
  const part = withEdit(smallContract.slice(from, to), ...edit)
  const text = smallContract.slice(0, from) + part + smallContract.slice(to)
  const [before = '', ...after] = text.split(at)
  if (after.length !== 1) throw new Error(`${after.length} occurrences of: ${at}`)
  return {
    expected: [`${before.split('\n').length} ${says}`],
    actual: await problemLines(text),
  }
}

export async function problemLines(text: string): Promise<string[]> {
  const { problems } = await readContract(text)
  return problems.map(({ line, subject, message }) => `${line} ${subject}: ${message}`)
}
