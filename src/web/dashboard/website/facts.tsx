import { CopyButton } from '../../kit/shell/copy.tsx'
import { texts } from '../../language.ts'

/** Values that are copied elsewhere, each below its label. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: string])[] }) {
  const t = texts('website')
  return (
    <>
      {facts.map(([label, value]) => (
        <div key={label}>
          <span class="label">{label}</span>
          <p>
            <code class="break">{value}</code>
          </p>
          <CopyButton text={value} label={t('copyNamed', { name: label })} />
        </div>
      ))}
    </>
  )
}
