import { useEffect, useRef, useState } from 'preact/hooks'

interface FocusTarget {
  at: number
  part: 'input' | 'button'
}

/**
 * Manages the focus while rows are added to or removed from a list: a new row's input gets it, and
 * after a removal the row that takes its place, or else whatever remains. Rows are marked with
 * `data-row`.
 */
export function useRowFocus<E extends HTMLElement>() {
  const container = useRef<E>(null)
  const [target, setTarget] = useState<FocusTarget | undefined>()
  useEffect(() => {
    if (!target) return
    const rows = container.current?.querySelectorAll('[data-row]') ?? []
    const row = rows[Math.min(target.at, rows.length - 1)] ?? container.current
    row?.querySelector<HTMLElement>(target.part)?.focus()
  }, [target])
  return {
    container,
    onNew: (at: number) => setTarget({ at, part: 'input' }),
    afterRemoval: (at: number) => setTarget({ at, part: 'button' }),
  }
}
