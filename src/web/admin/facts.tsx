import type { ComponentChildren } from 'preact'

/** Labels and values of one account or workspace. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="card facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt class="muted">{label}</dt>
          <dd class="break">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
