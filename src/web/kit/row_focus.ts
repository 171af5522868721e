import { useEffect, useRef, useState } from 'preact/hooks'

interface Wanted {
  at: number
  part: 'input' | 'button'
}

/**
 * Keeps the focus with whoever adds lines to a list and takes them out: a new line is typed into at
 * once, and after a line has gone the one in its place has the focus, or else what is left. Lines
 * are marked with `data-row`.
 */
export function useRowFocus<E extends HTMLElement>() {
  const place = useRef<E>(null)
  const [wanted, want] = useState<Wanted | undefined>()
  useEffect(() => {
    if (!wanted) return
    const rows = place.current?.querySelectorAll('[data-row]') ?? []
    const row = rows[Math.min(wanted.at, rows.length - 1)] ?? place.current
    row?.querySelector<HTMLElement>(wanted.part)?.focus()
  }, [wanted])
  return {
    place,
    onNew: (at: number) => want({ at, part: 'input' }),
    afterRemoval: (at: number) => want({ at, part: 'button' }),
  }
}
