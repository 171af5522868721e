/** A setting as JSON Schema. The value's type and the default are inferred from it. */
export type SettingSchema =
  | { type: 'string'; minLength?: number; pattern?: string; format?: 'uri'; default?: string }
  | { type: 'integer'; minimum: number; maximum: number; default?: number }
  | { type: 'boolean'; default?: boolean }
  | { enum: readonly string[]; default?: string }

export interface Setting<S extends SettingSchema = SettingSchema> {
  /** Name of the environment variable. */
  name: string
  /** The line that .env.example shows above it. */
  about: string
  schema: S
}

export type Members = Record<string, Setting>

/** Settings for one purpose: either every required one is set, or none of them. */
export interface Group<R extends Members = Members, O extends Members = Members> {
  purpose: string
  about: string
  required: R
  optional: O
}

export function setting<const S extends SettingSchema>(
  name: string,
  about: string,
  schema: S,
): Setting<S> {
  return { name, about, schema }
}

export function group<R extends Members, O extends Members = Record<never, Setting>>(
  about: string,
  { purpose, required, optional }: { purpose: string; required: R; optional?: O },
): Group<R, O> {
  return { purpose, about, required, optional: optional ?? ({} as O) }
}
