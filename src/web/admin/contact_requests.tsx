import { useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../api.ts'
import { Pill } from '../kit/shell/pill.tsx'
import { toast, toastFailure } from '../kit/shell/toasts.tsx'
import { formatTime, texts } from '../language.ts'
import { useLoad } from '../kit/shell/use_load.ts'
import { ListPage, replaceRow } from './list_page.tsx'
import { StandingButton, StandingPill } from './standing.tsx'
import { putStatus } from './workspaces.tsx'

type ContactRequest = Schemas['ContactRequest']

/** Contact requests. Marking one as read lets its sender write again. */
export function ContactRequestsPage() {
  const t = texts('admin')
  return (
    <ListPage
      title={t('contact')}
      about={t('contactAbout')}
      searchLabel={t('searchContact')}
      empty={{ icon: 'inbox', title: t('noContact') }}
      ask={(query, signal) =>
        ask(api.GET('/api/admin/contact-requests', { params: { query }, signal }))
      }
    >
      {(value, list) => (
        <ul class="letters">
          {value.contactRequests.map((request) => (
            <li key={request.id}>
              <Letter
                request={request}
                onRead={(updated) =>
                  list.set({
                    ...value,
                    contactRequests: replaceRow(value.contactRequests, updated),
                  })
                }
              />
            </li>
          ))}
        </ul>
      )}
    </ListPage>
  )
}

/** A report of a shop begins with its address and its workspace. */
const workspaceIn = (message: string) => /^http\S+\n(ws_[0-9a-z]{26})\n/.exec(message)?.[1]

/**
 * The workspaces of the calls that the service asks for: each call ends with its own. An owner who asks for a
 * second one before the first is read has both in one request.
 */
function designsIn(message: string): [id: string, subDomain: string][] {
  const calls = message.matchAll(/ \(([0-9a-z-]+)\): its template is .+\n(ws_[0-9a-z]{26})$/gm)
  // Once, however often its owner has changed the template.
  return [...new Map(Array.from(calls, ([, subDomain = '', id = '']) => [id, subDomain]))]
}

interface LetterProps {
  request: ContactRequest
  onRead: (request: ContactRequest) => void
}

function Letter({ request, onRead }: LetterProps) {
  const t = texts('admin')
  const { id, name, email, message, createdAt, readAt } = request
  const workspaceId = workspaceIn(message)
  const designs = designsIn(message)
  const letter = useRef<HTMLElement>(null)
  const markRead = () => {
    const call = ask(
      api.POST('/api/admin/contact-requests/{id}/read', { params: { path: { id } } }),
    )
    call.then((answer) => {
      // The button disappears: move the focus to the letter.
      letter.current?.focus()
      onRead(answer)
      toast(t('markedRead', { name }))
    }, toastFailure)
  }
  return (
    <article class="card" aria-labelledby={id} tabIndex={-1} ref={letter}>
      <header>
        <div class="cell-text grow">
          <h2 id={id}>{name}</h2>
          <small>
            <a href={`mailto:${email}`}>{email}</a> · {formatTime(createdAt)}
          </small>
        </div>
        {readAt === null ? <Pill tone="info">{t('unread')}</Pill> : null}
      </header>
      <p class="letter">{message}</p>
      <footer class="row">
        <Link class="button plain" href={`/accounts?search=${encodeURIComponent(email)}`}>
          {t('account')}
        </Link>
        {designs.map(([designId, subDomain]) => (
          <Link key={designId} class="button plain" href={`/workspaces/${designId}/design`}>
            {t('designOf', { name: subDomain })}
          </Link>
        ))}
        {workspaceId === undefined ? null : <ReportedShop id={workspaceId} />}
        {readAt === null ? (
          <button type="button" aria-label={t('markReadOf', { name })} onClick={markRead}>
            {t('markRead')}
          </button>
        ) : (
          <small class="muted">{t('readOn', { time: formatTime(readAt) })}</small>
        )}
      </footer>
    </article>
  )
}

/** The shop of a report. One click suspends it, without a question: another restores it. */
function ReportedShop({ id }: { id: string }) {
  const t = texts('admin')
  const params = { path: { id } }
  const load = useLoad(
    (signal) => ask(api.GET('/api/admin/workspaces/{id}', { signal, params })),
    [id],
  )
  // A deleted shop has nothing left to suspend.
  if (load.value === undefined) return null
  const detail = load.value
  const { name, status } = detail.workspace
  const change = () => {
    const next = status === 'ACTIVE' ? 'SUSPENDED' : 'ACTIVE'
    putStatus(id, next).then((workspace) => {
      load.set({ ...detail, workspace })
      toast(t(next === 'SUSPENDED' ? 'suspended' : 'restored', { name }))
    }, toastFailure)
  }
  return (
    <>
      <Link class="button plain" href={`/workspaces/${id}`}>
        {name}
      </Link>
      <StandingPill status={status} />
      <StandingButton name={name} status={status} onClick={change} />
    </>
  )
}
