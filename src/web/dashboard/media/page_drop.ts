import { useEffect, useRef, useState } from 'preact/hooks'

type Take = (files: File[]) => void

/** Who takes files that are dropped anywhere on the page: the last one. */
const takers: { current: Take }[] = []

/** Whether files come from outside; a picture that is dragged within the page has its markup too. */
function bringsFiles({ dataTransfer }: DragEvent): boolean {
  const types = dataTransfer?.types ?? []
  return types.includes('Files') && !types.includes('text/html')
}

interface PageDropOptions {
  /** Whether it takes only what nothing else on the page takes. */
  isFallback?: boolean
}

/**
 * Takes files that are dropped anywhere on the page, which without it would replace the page.
 * Returns whether some are held over it now.
 */
export function usePageDrop(take: Take, { isFallback = false }: PageDropOptions = {}): boolean {
  const [over, setOver] = useState(false)
  const taker = useRef(take)
  taker.current = take
  useEffect(() => {
    if (isFallback) takers.unshift(taker)
    else takers.push(taker)
    const hold = (event: DragEvent) => {
      event.preventDefault()
      setOver(takers.at(-1) === taker && bringsFiles(event))
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (takers.at(-1) === taker && bringsFiles(event) && files.length > 0) taker.current(files)
    }
    addEventListener('dragover', hold)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      takers.splice(takers.indexOf(taker), 1)
      removeEventListener('dragover', hold)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return over
}
