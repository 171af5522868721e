import type { Schemas } from '../../api.ts'
import { Pill, type Tone } from '../../kit/pill.tsx'
import type { Column } from '../../kit/table.tsx'
import { formatDay, formatTime, texts } from '../../language.ts'
import { integrations } from '../../messages/integrations.ts'
import { kit } from '../../messages/kit.ts'
import { scopeText } from './scopes.tsx'

/** What keys and connections have in common. */
export interface Credential {
  id: string
  scopes: Schemas['Scope'][]
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

type State = 'ACTIVE' | 'EXPIRED' | 'REVOKED'

const tones: Record<State, Tone> = { ACTIVE: 'good', EXPIRED: 'quiet', REVOKED: 'bad' }

export function stateOf({ revokedAt, expiresAt }: Credential): State {
  if (revokedAt !== null) return 'REVOKED'
  return new Date(expiresAt) < new Date() ? 'EXPIRED' : 'ACTIVE'
}

export function credentialColumns<C extends Credential>(): Column<C>[] {
  const [t, k] = [texts(integrations), texts(kit)]
  return [
    {
      title: t('scopes'),
      wide: true,
      cell: ({ scopes }) => (
        <details>
          <summary>{scopes.length}</summary>
          <ul class="plain-list">
            {scopes.map((scope) => (
              <li key={scope} class="muted">
                {scopeText(scope)}
              </li>
            ))}
          </ul>
        </details>
      ),
    },
    {
      title: t('state'),
      cell: (one) => <Pill tone={tones[stateOf(one)]}>{t(`state.${stateOf(one)}`)}</Pill>,
    },
    {
      title: t('lastUsed'),
      wide: true,
      cell: ({ lastUsedAt }) => (
        <span class="muted">{lastUsedAt === null ? k('never') : formatTime(lastUsedAt)}</span>
      ),
    },
    {
      title: t('expires'),
      wide: true,
      cell: ({ expiresAt }) => <span class="muted nowrap-text">{formatDay(expiresAt)}</span>,
    },
  ]
}

/** A column whose button asks before it revokes. */
export function revokeColumn<C extends Credential>(
  nameOf: (one: C) => string,
  onRevoke: (one: C) => void,
): Column<C> {
  const [t, k] = [texts(integrations), texts(kit)]
  return {
    title: k('actions'),
    numeric: true,
    cell: (one) =>
      stateOf(one) === 'ACTIVE' ? (
        <button
          type="button"
          aria-label={t('revokeNamed', { name: nameOf(one) })}
          onClick={() => onRevoke(one)}
        >
          {t('revoke')}
        </button>
      ) : null,
  }
}
