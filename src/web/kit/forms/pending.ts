import { createContext } from 'preact'
import { useRef, useState } from 'preact/hooks'

/** Work that a form's save has to wait for, such as uploads of its pictures. */
interface Pending {
  /** The work resolves to whether it succeeded. */
  track: (work: Promise<boolean>) => void
}

export const PendingContext = createContext<Pending | undefined>(undefined)

export function usePending() {
  const running = useRef(new Set<Promise<boolean>>())
  const [count, setCount] = useState(0)
  const track = (work: Promise<boolean>) => {
    running.current.add(work)
    setCount(running.current.size)
    void work.finally(() => {
      running.current.delete(work)
      setCount(running.current.size)
    })
  }
  /** Resolves to whether everything succeeded, also what is added while it waits. */
  const wait = async () => {
    let succeeded = true
    while (running.current.size > 0) {
      const outcomes = await Promise.all(running.current)
      succeeded &&= outcomes.every(Boolean)
    }
    return succeeded
  }
  return { count, track, wait }
}
