import { type MutableRef, useLayoutEffect } from 'preact/hooks'

/** Closes what is open when the person presses Escape or anything outside it. */
export function useDismiss<E extends HTMLElement>(
  element: MutableRef<E | null>,
  isOpen: boolean,
  close: () => void,
): void {
  // Before the next key: an effect that waits for the painting would miss an Escape on a slow machine.
  useLayoutEffect(() => {
    if (!isOpen) return
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !element.current?.contains(target)) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // What it is open in, such as a dialog, stays.
      event.preventDefault()
      close()
      element.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
    }
    addEventListener('pointerdown', onPress)
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('pointerdown', onPress)
      removeEventListener('keydown', onKey)
    }
  }, [isOpen])
}
