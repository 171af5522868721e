import type { ComponentChildren } from 'preact'

interface SteadyButtonProps {
  label: string
  disabled: boolean
  onClick: () => void
  plain?: boolean
  children: ComponentChildren
}

/**
 * A button for repeated presses. At the limit it is only aria-disabled, because a disabled button
 * loses the focus.
 */
export function SteadyButton({ label, disabled, onClick, plain, children }: SteadyButtonProps) {
  return (
    <button
      type="button"
      class={plain ? 'plain' : undefined}
      aria-label={label}
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onClick()
      }}
    >
      {children}
    </button>
  )
}
