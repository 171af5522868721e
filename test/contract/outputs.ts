import { expect } from 'vitest'
import { readContract } from '../../codegen/contract.ts'
import { outputsOf } from '../../codegen/generate.ts'

export const code = [
  'types.ts',
  'operations.ts',
  'enums.ts',
  'limits.ts',
  'roles.ts',
  'deprecations.ts',
] as const
export const names = [
  ...code,
  'tools.json',
  'openapi.json',
  'openapi.public.json',
  'openapi.3_0.json',
  'postman.json',
  'llms.txt',
  'guide.json',
] as const
export type Outputs = Record<(typeof names)[number], string>

/** What the contract with this text yields. */
export async function outputs(text: string): Promise<Outputs> {
  const { contract, problems } = await readContract(text)
  expect(problems).toEqual([])
  if (contract === undefined) throw new Error('There is no contract.')
  return (await outputsOf(contract)) as Outputs
}

/** The keys of a value and of everything in it. */
export function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(keysOf)]
}
