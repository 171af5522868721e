/** What can be chosen, as it is called. */
export interface Choice<V extends string> {
  value: V
  label: string
}

/** For comparing with what is typed: case and accents do not matter. */
export function fold(text: string): string {
  return text.toLocaleLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replace(/ı/g, 'i')
}

/** Keys that follow each other within this time belong to one word. */
const pauseMilliseconds = 700

export interface Typed {
  text: string
  /** The time of its last key, in milliseconds. */
  at: number
}

export const nothingTyped: Typed = { text: '', at: -Infinity }

/** Whether a word is being typed, in which a space is a space. */
export function isTyping({ text, at }: Typed, now: number): boolean {
  return text !== '' && now - at < pauseMilliseconds
}

export function typedWith(typed: Typed, key: string, now: number): Typed {
  return { text: isTyping(typed, now) ? typed.text + key : key, at: now }
}

/**
 * The place of the choice that begins with what is typed, looked for from the current one on and then from the
 * top; one letter, again and again, walks through those that begin with it. Undefined if there is none.
 */
export function placeOf(
  choices: readonly Choice<string>[],
  current: number,
  text: string,
): number | undefined {
  const typed = fold(text)
  const letter = [...typed][0] ?? ''
  const isOneLetter = [...typed].every((each) => each === letter)
  const wanted = isOneLetter ? letter : typed
  const from = isOneLetter ? current + 1 : Math.max(current, 0)
  const order = choices.map((_, step) => (from + step) % choices.length)
  return order.find((at) => fold(choices[at]?.label ?? '').startsWith(wanted))
}
