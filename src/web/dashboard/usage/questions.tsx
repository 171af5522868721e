import { api, ask } from '../../api.ts'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { Counts } from './site.tsx'

/** What visitors ask most; nothing where no question was asked twice. */
export function Questions({ from, to }: { from: string; to: string }) {
  const { workspaceId, timeZone } = useWorkspace()
  const t = texts('usage')
  const params = { path: { workspaceId }, query: { from, to, days: 'SHOP' } } as const
  const load = useLoad(
    (signal) => ask(api.GET('/api/workspaces/{workspaceId}/top-questions', { signal, params })),
    [workspaceId, from, to, timeZone],
  )
  return (
    <Loaded load={load}>
      {({ questions }) =>
        questions.length === 0 ? null : (
          <section class="card" aria-labelledby="questions">
            <div>
              <h2 id="questions">{t('questions')}</h2>
              <p class="hint">{t('questionsHint')}</p>
            </div>
            <Counts counts={questions.map(({ text, asked }) => ({ name: text, count: asked }))} />
          </section>
        )
      }
    </Loaded>
  )
}
