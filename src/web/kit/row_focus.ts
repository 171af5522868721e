import { useEffect, useRef, useState } from 'preact/hooks'

interface Wanted {
  at: number
  part: 'input' | 'button'
}

/**
 * Manages the focus while rows are added to or removed from a list: a new row's input gets it, and
 * after a removal the row that takes its place, or else whatever remains. Rows are marked with
 * `data-row`.
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
