import type { ComponentChildren } from 'preact'

interface SteadyButtonProps {
  label: string
  disabled: boolean
  onClick: () => void
  plain?: boolean
  children: ComponentChildren
}

/**
 * A button that is pressed again and again until there is nothing more to do. It keeps the focus
 * then, which the browser takes from a button that is disabled.
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
