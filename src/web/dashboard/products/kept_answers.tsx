import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { Pill } from '../../kit/shell/pill.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

type Kept = Schemas['KeptAnswers']

const path = '/api/workspaces/{workspaceId}/products/{id}/kept-answers'

/** Answers that the product's page shows to every visitor, paid for once. */
export function KeptAnswers({ productId }: { productId: string }) {
  const { workspaceId } = useWorkspace()
  const t = texts('kept')
  const params = { path: { workspaceId, id: productId } }
  const load = useLoad<Kept>((signal) => ask(api.GET(path, { signal, params })), [productId])
  const [isAsking, setAsking] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const make = async (credits: number) => {
    try {
      load.set(await ask(api.POST(path, { params, body: { credits } })))
      toast(t('made'))
    } finally {
      // Some may be made even if the credits ran out.
      load.reload()
    }
  }
  const remove = async () => {
    load.set(await ask(api.DELETE(path, { params })))
    toast(t('removed'))
  }
  return (
    <section class="card" aria-labelledby="kept">
      <div>
        <h2 id="kept">{t('title')}</h2>
        <p class="hint">{t('about')}</p>
      </div>
      <Loaded load={load}>
        {({ answers, credits }) => (
          <div class="stack">
            {answers.length === 0 ? <p class="muted">{t('none')}</p> : <List answers={answers} />}
            <div class="row">
              {credits > 0 ? (
                <button type="button" onClick={() => setAsking(true)}>
                  {t('make', { count: credits })}
                </button>
              ) : null}
              {answers.some(({ answer }) => answer !== null) ? (
                <button type="button" onClick={() => setRemoving(true)}>
                  {t('remove')}
                </button>
              ) : null}
            </div>
            {isAsking ? (
              <ConfirmDialog
                title={t('makeTitle')}
                action={t('make', { count: credits })}
                onConfirm={() => make(credits)}
                onClose={() => setAsking(false)}
              >
                <p>{t('makeHint', { count: credits })}</p>
              </ConfirmDialog>
            ) : null}
            {isRemoving ? (
              <ConfirmDialog
                danger
                title={t('remove')}
                action={t('remove')}
                onConfirm={remove}
                onClose={() => setRemoving(false)}
              >
                <p>{t('removeHint')}</p>
              </ConfirmDialog>
            ) : null}
          </div>
        )}
      </Loaded>
    </section>
  )
}

function List({ answers }: Pick<Kept, 'answers'>) {
  const t = texts('kept')
  return (
    <ul class="plain-list">
      {answers.map(({ question, state, answer }) => (
        <li key={question} class="break">
          <b>{question}</b>{' '}
          {state === 'CURRENT' ? null : <Pill tone="quiet">{t(`state.${state}`)}</Pill>}
          {answer === null ? null : <div class="muted">{answer}</div>}
        </li>
      ))}
    </ul>
  )
}
