import { Link } from 'wouter-preact'
import { api, ask } from '../../api.ts'
import { SelectField } from '../../kit/forms/select.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { type Membership, mayUse, useSession } from '../../session.ts'
import { readNotices } from './notices.ts'

interface NoticesProps {
  membership: Membership
  onGo: () => void
}

/** What concerns the reader, each with the way there. */
export function NoticesPanel({ membership, onGo }: NoticesProps) {
  const t = texts('notices')
  const { invitations = [] } = useSession()
  const load = useLoad(
    () => readNotices(membership, invitations.length),
    [membership.workspaceId, invitations.length],
  )
  return (
    <>
      <Loaded load={load}>
        {(notices) =>
          notices.length === 0 ? (
            <p class="muted">{t('none')}</p>
          ) : (
            <ul class="plain-list">
              {notices.map(({ icon, text, href }) => (
                <li key={text}>
                  <Link href={href} onClick={onGo}>
                    <Icon name={icon} />
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {mayUse(membership.role, 'products') ? (
        <DigestChoice workspaceId={membership.workspaceId} />
      ) : null}
    </>
  )
}

const digestPath = '/api/workspaces/{workspaceId}/digest'
const everies = ['NEVER', 'DAY', 'WEEK'] as const

/** How often the same comes by mail. */
function DigestChoice({ workspaceId }: { workspaceId: string }) {
  const t = texts('notices')
  const params = { path: { workspaceId } }
  const load = useLoad(() => ask(api.GET(digestPath, { params })), [workspaceId])
  if (!load.value) return null
  const change = (every: (typeof everies)[number]) =>
    ask(api.PUT(digestPath, { params, body: { every } })).then((digest) => {
      load.set(digest)
      toast(t(`digest.${every}.done`))
    }, toastFailure)
  return (
    <div class="digest">
      <SelectField
        name="every"
        label={t('digest')}
        value={load.value.every}
        error={undefined}
        choices={everies.map((value) => ({ value, label: t(`digest.${value}`) }))}
        onChange={(every) => void change(every)}
      />
    </div>
  )
}
