import type { operations } from './schema.js'

export type OperationId = keyof operations

type Parameters<Id extends OperationId> = operations[Id] extends { parameters: infer P } ? P : never
type PartOf<P, Name extends string> = P extends { [N in Name]?: infer V } ? NonNullable<V> : never

/** Members whose values may all be left out may be left out themselves. */
type OptionalIfEmpty<Name extends string, V> = [V] extends [never]
  ? unknown
  : object extends V
    ? { [N in Name]?: V }
    : { [N in Name]: V }

/** The ids of a path; the workspace may come from the client. */
type PathOf<Id extends OperationId> = PartOf<Parameters<Id>, 'path'>
type WithoutWorkspace<P> = [P] extends [never]
  ? never
  : Omit<P, 'workspaceId'> &
      (P extends { workspaceId: string } ? { workspaceId?: string } : unknown)

type BodyOf<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: infer C }
}
  ? ContentOf<C>
  : never
type OptionalBodyOf<Id extends OperationId> = operations[Id] extends {
  requestBody?: { content: infer C }
}
  ? ContentOf<C>
  : never
type ContentOf<C> = C extends { 'application/json': infer J }
  ? J
  : C extends { 'multipart/form-data': unknown }
    ? FormData
    : Blob | ArrayBuffer | Uint8Array

export type Input<Id extends OperationId> = OptionalIfEmpty<'path', WithoutWorkspace<PathOf<Id>>> &
  OptionalIfEmpty<'query', PartOf<Parameters<Id>, 'query'>> &
  ([BodyOf<Id>] extends [never]
    ? [OptionalBodyOf<Id>] extends [never]
      ? unknown
      : { body?: OptionalBodyOf<Id> }
    : { body: BodyOf<Id> }) & {
    headers?: Record<string, string>
    signal?: AbortSignal
  }

type Success = 200 | 201 | 202 | 204
type AnswerOf<R> = R extends { content: { 'application/json': infer J } }
  ? J
  : R extends { content: infer C }
    ? C extends Record<string, string>
      ? string
      : undefined
    : undefined

export type Output<Id extends OperationId> = operations[Id] extends { responses: infer R }
  ? AnswerOf<R[keyof R & Success]>
  : never

/** Operations that answer a part of a list or of a feed, and the rows of these. */
type RowsOf<A> = A extends { pagination: unknown } | { cursor: string; hasMore: boolean }
  ? { [K in keyof A]: A[K] extends (infer Row)[] ? Row : never }[keyof A]
  : never
export type Row<Id extends OperationId> = RowsOf<Output<Id>>
export type ListId = { [Id in OperationId]: [Row<Id>] extends [never] ? never : Id }[OperationId]

/** Operations whose answers can be streamed. */
export type StreamId = Extract<OperationId, 'chat_about_product' | 'chat_about_routine'>

/** The next checked words, a new beginning, or the whole answer, which is the last event. */
export type ChatEvent<Id extends StreamId> =
  | { type: 'words'; text: string }
  | { type: 'again' }
  | { type: 'answer'; answer: Output<Id> }
