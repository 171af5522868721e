import type { Schemas } from '../../api.ts'
import { Pill } from '../../kit/shell/pill.tsx'
import { texts } from '../../language.ts'
import { Facts } from './facts.tsx'

interface DomainRowProps {
  domain: Schemas['Domain']
  /** The host that the domain is led to. */
  target: string
  busy: boolean
  onVerify: () => void
  onChoose: () => void
  onRemove: () => void
}

/** A domain, what to enter where it is registered, and what can be done next. */
export function DomainRow(props: DomainRowProps) {
  const { domain, target, busy, onVerify, onChoose, onRemove } = props
  const t = texts('domains')
  const { name, status, isPrimary, isNameApproved, problem } = domain
  const isVerified = status === 'VERIFIED'
  return (
    <section class="stack" aria-label={name}>
      <div class="row">
        <b class="break">{name}</b>
        <Pill tone={isVerified ? 'good' : 'warn'}>{t(`status.${status}`)}</Pill>
        {isPrimary ? <Pill tone="info">{t('primary')}</Pill> : null}
      </div>
      {isNameApproved ? null : <p class="banner">{t('waits')}</p>}
      {problem === null ? null : <p class="banner">{t(`problem.${problem}`)}</p>}
      {isVerified ? null : <Records domain={domain} target={target} />}
      <div class="row">
        <button type="button" disabled={busy} onClick={onVerify}>
          {t(isVerified ? 'look' : 'verify')}
        </button>
        {isVerified && isNameApproved ? (
          <button type="button" disabled={busy} onClick={onChoose}>
            {t(isPrimary ? 'useSubDomain' : 'makePrimary')}
          </button>
        ) : null}
        <button type="button" aria-label={t('removeNamed', { name })} onClick={onRemove}>
          {t('remove')}
        </button>
      </div>
    </section>
  )
}

function Records({ domain, target }: Pick<DomainRowProps, 'domain' | 'target'>) {
  const t = texts('domains')
  const facts = [
    [t('recordName'), domain.recordName],
    [t('recordValue'), domain.recordValue],
    [t('target', { name: domain.name }), target],
  ] as const
  return (
    <>
      <p>{t('recordsHint')}</p>
      <Facts facts={facts} />
    </>
  )
}
