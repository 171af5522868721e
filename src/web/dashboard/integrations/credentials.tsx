import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { Pill, type Tone } from '../../kit/shell/pill.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { formatDay, formatTime, texts } from '../../language.ts'
import { scopeText } from './scopes.tsx'

/** Fields that keys and grants share. */
interface Credential {
  id: string
  scopes: Schemas['Scope'][]
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

type CredentialState = 'ACTIVE' | 'EXPIRED' | 'REVOKED'

const tones: Record<CredentialState, Tone> = { ACTIVE: 'good', EXPIRED: 'quiet', REVOKED: 'bad' }

function stateOf({ revokedAt, expiresAt }: Credential): CredentialState {
  if (revokedAt !== null) return 'REVOKED'
  return new Date(expiresAt) < new Date() ? 'EXPIRED' : 'ACTIVE'
}

interface CredentialsProps<C extends Credential> {
  caption: string
  /** Header of the first column. */
  title: string
  credentials: readonly C[]
  nameOf: (one: C) => string
  /** Secondary identification, shown below the name. */
  markOf: (one: C) => ComponentChildren
  /** Consequences of revoking. */
  revokeHint: string
  revoke: (id: string) => Promise<unknown>
  onRevoked: () => void
}

/** Keys or grants: active ones with a revoke button, then ended ones. */
export function Credentials<C extends Credential>(props: CredentialsProps<C>) {
  const { caption, credentials, nameOf } = props
  const t = texts('integrations')
  const [revoking, setRevoking] = useState<C | undefined>()
  const active = credentials.filter((one) => stateOf(one) === 'ACTIVE')
  const ended = credentials.filter((one) => stateOf(one) !== 'ACTIVE')
  return (
    <div class="stack">
      {active.length > 0 ? (
        <Table
          caption={caption}
          columns={[...columnsFor(props, true), revokeColumn(nameOf, setRevoking)]}
          rows={active}
        />
      ) : null}
      {ended.length > 0 ? (
        <details>
          <summary class="muted">{t('ended', { count: ended.length })}</summary>
          <Table
            caption={t('ended', { count: ended.length })}
            columns={columnsFor(props, false)}
            rows={ended}
          />
        </details>
      ) : null}
      {revoking ? (
        <RevokeDialog {...props} target={revoking} onClose={() => setRevoking(undefined)} />
      ) : null}
    </div>
  )
}

/** On phones, only ended credentials show their state. */
function columnsFor<C extends Credential>(
  props: CredentialsProps<C>,
  isActive: boolean,
): Column<C>[] {
  const { title, nameOf, markOf } = props
  const [t, k] = [texts('integrations'), texts('kit')]
  const lastUse = ({ lastUsedAt }: C) => (lastUsedAt === null ? k('never') : formatTime(lastUsedAt))
  return [
    {
      title,
      cell: (one) => (
        <div class="cell-main">
          <div class="break">
            <b>{nameOf(one)}</b>
            <small>{markOf(one)}</small>
            <small class="phone-only">
              {t('lastUsed')}: {lastUse(one)}
            </small>
            <small class="phone-only">
              {t('expires')}: {formatDay(one.expiresAt)}
            </small>
            <Scopes scopes={one.scopes} />
          </div>
        </div>
      ),
    },
    {
      title: t('state'),
      wide: isActive,
      cell: (one) => <Pill tone={tones[stateOf(one)]}>{t(`state.${stateOf(one)}`)}</Pill>,
    },
    {
      title: t('lastUsed'),
      wide: true,
      cell: (one) => <span class="muted nowrap-text">{lastUse(one)}</span>,
    },
    {
      title: t('expires'),
      wide: true,
      cell: ({ expiresAt }) => <span class="muted nowrap-text">{formatDay(expiresAt)}</span>,
    },
  ]
}

function Scopes({ scopes }: Pick<Credential, 'scopes'>) {
  const t = texts('integrations')
  return (
    <details>
      <summary class="muted">{t('permissions', { count: scopes.length })}</summary>
      <ul class="plain-list">
        {scopes.map((scope) => (
          <li key={scope} class="muted">
            {scopeText(scope)}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Column with a revoke button, which asks for confirmation. */
function revokeColumn<C>(nameOf: (one: C) => string, onRevoke: (one: C) => void): Column<C> {
  const [t, k] = [texts('integrations'), texts('kit')]
  return {
    title: k('actions'),
    numeric: true,
    cell: (one) => (
      <button
        type="button"
        aria-label={t('revokeNamed', { name: nameOf(one) })}
        onClick={() => onRevoke(one)}
      >
        {t('revoke')}
      </button>
    ),
  }
}

interface RevokeProps<C extends Credential> extends CredentialsProps<C> {
  target: C
  onClose: () => void
}

function RevokeDialog<C extends Credential>(props: RevokeProps<C>) {
  const { target, nameOf, revoke, revokeHint, onRevoked, onClose } = props
  const t = texts('integrations')
  const name = nameOf(target)
  const confirm = async () => {
    await revoke(target.id)
    toast(t('revoked', { name }))
    onRevoked()
  }
  return (
    <ConfirmDialog
      danger
      title={t('revokeNamed', { name })}
      action={t('revoke')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{revokeHint}</p>
    </ConfirmDialog>
  )
}
