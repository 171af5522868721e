/** A field that both sides changed, differently. */
export interface Clash<T> {
  key: keyof T & string
  theirs: T[keyof T]
  mine: T[keyof T]
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The fields of `now` that differ from `base`. */
export function changesSince<T extends object>(base: T, now: T): Partial<T> {
  const changes = Object.entries(now).filter(([key, value]) => !same(value, base[key as keyof T]))
  return Object.fromEntries(changes) as Partial<T>
}

/** Combines two sets of changes to one base; a field that clashes keeps my value. */
export function mergeChanges<T extends object>(base: T, mine: T, theirs: T) {
  const changes = changesSince(base, mine)
  const keys = Object.keys(changesSince(base, theirs)) as (keyof T & string)[]
  const clashes: Clash<T>[] = keys
    .filter((key) => key in changes && !same(mine[key], theirs[key]))
    .map((key) => ({ key, theirs: theirs[key], mine: mine[key] }))
  return { values: { ...theirs, ...changes }, clashes }
}
