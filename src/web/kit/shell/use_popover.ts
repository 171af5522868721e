import { type MutableRef, useLayoutEffect } from 'preact/hooks'

const gap = 4
/** From the edges of the window. */
const margin = 16

/**
 * Shows a panel over everything, so that no table or dialog cuts it off: below its button, or above where
 * there is more room. The panel has the attribute `popover="manual"`.
 */
export function usePopover(
  button: MutableRef<HTMLElement | null>,
  panel: MutableRef<HTMLElement | null>,
) {
  useLayoutEffect(() => {
    const [from, shown] = [button.current, panel.current]
    if (!from || !shown) return
    const place = () => {
      const { left, top, bottom, width } = from.getBoundingClientRect()
      shown.style.setProperty('--opener-width', `${width}px`)
      const { offsetWidth, offsetHeight } = shown
      const furthest = innerWidth - offsetWidth - margin
      const isBelow = bottom + gap + offsetHeight <= innerHeight || top < innerHeight - bottom
      shown.style.left = `${Math.max(margin, Math.min(left, furthest))}px`
      shown.style.top = isBelow ? `${bottom + gap}px` : 'auto'
      shown.style.bottom = isBelow ? 'auto' : `${innerHeight - top + gap}px`
    }
    shown.showPopover()
    place()
    const resized = new ResizeObserver(place)
    resized.observe(shown)
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    return () => {
      resized.disconnect()
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  }, [])
}
