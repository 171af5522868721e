import type { ColumnType, Generated } from 'kysely'
import type { ErrorCode, Scope } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import type { FieldErrors, Reason } from '../../texts/refusals.ts'
import type { NullableTimestamp, Timestamp } from './columns.ts'

type Schemas = components['schemas']

/** JSON that may be missing. */
type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>

/** An uploaded file and the fields of its columns. */
export interface FileSource {
  uploadId: string
  format: 'csv' | 'ndjson' | 'json'
  columns: { name: string; field: Schemas['ImportField'] | null }[]
  /** Whether missing tags and collections are created. */
  make: { tags: boolean; collections: boolean }
  /** Whether rows name pictures by their URLs. */
  hasUrls: boolean
}

/** Where the rows of a set come from. */
export type SetSource =
  | { kind: 'rows' }
  | ({ kind: 'selection' } & Schemas['ChangeSetSelection'])
  | ({ kind: 'file' } & FileSource)

/** The person or connection that requested the current step, and what it may do. */
export interface SetActor {
  type: Schemas['ChangeSetActor']['type']
  name: string
  accountId: string
  /** The key, grant or session. */
  connectionId: string
  /** The scopes of a key or grant; null for a person in the dashboard. */
  scopes: Scope[] | null
}

/** A step of a set: planning, applying or undoing. */
export interface SetStep {
  actor: SetActor
  /** The operation that the activities of its writes name. */
  operation: string
  skipErrors: boolean
  /** Whether the rows of a selection are still those of its former plan, which go before it is selected again. */
  reselects?: true
}

/** Why a row cannot be applied: the refusal that the single write would have had. */
export interface RowError {
  code: ErrorCode
  reason: Reason
  /** By the path in the row: `id`, `data.name`. */
  fields: FieldErrors
}

/** What the activity of a row keeps: the replaced values, or the deleted product. */
export interface KeptOfProduct {
  former: Schemas['ProductPatch'] | null
  snapshot: Schemas['ActivitySnapshot'] | null
}

export type RowEffect = 'CREATE' | 'UPDATE' | 'DELETE' | 'NONE' | 'ERROR'

export interface ChangeSetTables {
  change_sets: {
    workspace_id: string
    id: string
    title: string
    state: Schemas['ChangeSetState']
    source: ColumnType<SetSource, string, string>
    file_name: string | null
    counts: ColumnType<Schemas['ChangeSetCounts'], string, string>
    done: number
    total: number
    created_by: ColumnType<Schemas['ChangeSetActor'], string, never>
    created_at: ColumnType<string, Date, never>
    planned_at: NullableTimestamp
    applied_by: OptionalJson<Schemas['ChangeSetActor']>
    applied_at: NullableTimestamp
    undone_by: OptionalJson<Schemas['ChangeSetActor']>
    undone_at: NullableTimestamp
    failure: OptionalJson<Reason>
    /** The step in progress; null if there is none. */
    step: OptionalJson<SetStep>
  }
  /** Sets whose step continues in the background. */
  change_set_queue: {
    workspace_id: string
    change_set_id: string
    line: QueueLine
    /** Until then the process that works on the step keeps others off it. */
    leased_until: Timestamp
    /** How often the step was started since it last made progress. */
    attempts: Generated<number>
  }
  change_set_rows: {
    workspace_id: string
    change_set_id: string
    number: number
    action: Schemas['ProductRow']['action']
    /** As it was sent, or the cells of a file; null if the set's selection says what to change. */
    input: OptionalJson<Schemas['ProductRow'] | unknown[]>
    /** Null until it is planned. */
    effect: RowEffect | null
    product_id: string | null
    sku: string | null
    name: string | null
    changes: OptionalJson<Schemas['ActivityChange'][]>
    error: OptionalJson<RowError>
    /** The product when it was read. */
    before: OptionalJson<unknown>
    /** What applying writes. */
    desired: OptionalJson<unknown>
    /** What its activity keeps of the product. */
    kept: OptionalJson<KeptOfProduct>
    /** Keys of values that must be unique among products. */
    unique_keys: string[] | null
  }
  change_set_uploads: {
    workspace_id: string
    id: string
    file_name: string
    format: FileSource['format']
    columns: ColumnType<Schemas['ChangeSetColumn'][], string, string>
    rows: number
    /** False until all rows are stored. */
    is_complete: boolean
    created_at: Timestamp
  }
  change_set_upload_rows: {
    workspace_id: string
    upload_id: string
    number: number
    cells: ColumnType<unknown[], string, never>
  }
  /** Tags and collections that rows name and that do not exist: applying the set creates them. */
  change_set_makes: {
    workspace_id: string
    change_set_id: string
    kind: MadeKind
    /** Two names with the same key count as one. */
    name_key: Buffer
    id: string
    name: string
  }
  /** Pictures that rows of an upload name by their URLs. */
  fetched_pictures: {
    workspace_id: string
    upload_id: string
    url_hash: Buffer
    /** Null if it could not be fetched. */
    media_id: string | null
    refusal: OptionalJson<Reason>
    fetched_at: Timestamp
  }
}

/** The queues in which steps wait: plans, plans that wait for pictures, and writes. */
export type QueueLine = 'plan' | 'pictures' | 'write'

export type MadeKind = 'TAG' | 'COLLECTION'
