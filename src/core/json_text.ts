/** JSON built by a query and sent as is. Tests parse and validate it. */
export type JsonText<T> = string & { readonly json: T }

/** JSON that is the same for equal values: the order of members does not count, of items it does. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
