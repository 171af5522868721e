import type { Group, Members, Setting } from './setting.ts'
import type { settings } from './settings.ts'

type SettingsTable = typeof settings

type ValueOf<S> = S extends { enum: readonly (infer V)[] }
  ? V
  : S extends { type: 'integer' }
    ? number
    : S extends { type: 'boolean' }
      ? boolean
      : string

type ReadValue<S> = S extends { default: unknown } ? ValueOf<S> : ValueOf<S> | undefined

type ValuesOf<M extends Members> = { [K in keyof M]: ValueOf<M[K]['schema']> }
type ReadsOf<M extends Members> = { [K in keyof M]: ReadValue<M[K]['schema']> }

/** As read from the environment: groups may be incomplete. */
export type Values = {
  [K in keyof SettingsTable]: SettingsTable[K] extends Group<infer R, infer O>
    ? ReadsOf<R> & ReadsOf<O>
    : SettingsTable[K] extends Setting<infer S>
      ? ReadValue<S>
      : never
}

/** After the checks: a group is complete or undefined. */
export type Settings = {
  [K in keyof SettingsTable]: SettingsTable[K] extends Group<infer R, infer O>
    ? (ValuesOf<R> & ReadsOf<O>) | undefined
    : Values[K]
}
