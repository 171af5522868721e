/** Something that an operator should know. */
export interface DoctorFinding {
  /** What is wrong, or true of what is only to be known. */
  isFault: boolean
  what: string
  /** What to do about it. */
  remedy: string
}

export interface Check {
  name: string
  /** Reads everything there is of something, which takes its time on a large database. */
  isThorough?: boolean
  run(): Promise<DoctorFinding[]>
}

export const fault = (what: string, remedy: string): DoctorFinding => ({
  isFault: true,
  what,
  remedy,
})
export const advice = (what: string, remedy: string): DoctorFinding => ({
  isFault: false,
  what,
  remedy,
})

/** Many of one kind: the first few are named. */
const named = 5

/** One finding for all of a list, or none if it is empty. */
export function summary(
  items: string[],
  headline: (count: number) => string,
  remedy: string,
): DoctorFinding[] {
  if (items.length === 0) return []
  const more = items.length > named ? [`and ${items.length - named} more`] : []
  return [fault([headline(items.length), ...items.slice(0, named), ...more].join('\n    '), remedy)]
}

export const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`
