import { Link } from 'wouter-preact'
import { Icon } from '../../kit/shell/icons.tsx'
import { type TextKey, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import type { Overview } from './overview.ts'

interface ChecklistStep {
  text: TextKey<'home'>
  isDone: boolean
  href: string
}

/** The steps to a working shop that the role can take. */
function stepsOf(overview: Overview, base: string): ChecklistStep[] {
  const { products, linkedPictures, collections, hasTexts, isConnected, hadCredits } = overview
  const steps: (ChecklistStep | false)[] = [
    products !== undefined && {
      text: 'step.product',
      isDone: products.total > 0,
      href: `${base}/products/new`,
    },
    linkedPictures !== undefined && {
      text: 'step.picture',
      isDone: linkedPictures > 0,
      href: `${base}/products`,
    },
    collections !== undefined && {
      text: 'step.collection',
      isDone: collections > 0,
      href: `${base}/collections/new`,
    },
    hasTexts !== undefined && { text: 'step.texts', isDone: hasTexts, href: `${base}/website` },
    isConnected !== undefined && {
      text: 'step.key',
      isDone: isConnected,
      href: '/integrations',
    },
    hadCredits !== undefined && {
      text: 'step.credits',
      isDone: hadCredits,
      href: `${base}/wallet`,
    },
  ]
  return steps.filter((step) => step !== false)
}

/** Ticks itself: each step is done when its data are there. It leaves with the last one. */
export function Checklist({ overview }: { overview: Overview }) {
  const t = texts('home')
  const { workspaceId } = useWorkspace()
  const steps = stepsOf(overview, `/w/${workspaceId}`)
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  return (
    <section class="card" aria-labelledby="checklist">
      <header>
        <h2 id="checklist">{t('checklist')}</h2>
        <span class="muted">{t('stepsDone', { done, total: steps.length })}</span>
      </header>
      <ol class="first-steps plain-list">
        {steps.map(({ text, isDone, href }) => (
          <li key={text} class={isDone ? 'done' : undefined}>
            <Link href={href}>
              <span class="tick">{isDone ? <Icon name="check" /> : null}</span>
              {t(text)}
              {isDone ? <span class="hidden"> {t('done')}</span> : null}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
