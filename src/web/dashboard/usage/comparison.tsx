import type { Schemas } from '../../api.ts'
import { Spark } from '../../kit/shell/spark.tsx'
import { formatNumber, formatShare, texts } from '../../language.ts'
import { datesBetween } from './series.ts'

type Insights = Schemas['Insights']
type Counted = 'visits' | 'views' | 'questions' | 'clicks'

interface ComparisonProps {
  insights: Insights
}

/** What visitors did, each figure against that of as many days before. */
export function Comparison({ insights }: ComparisonProps) {
  const t = texts('usage')
  const { figures, figuresBefore, days, from, to } = insights
  const courseOf = (name: Counted) =>
    datesBetween(from, to).map((date) => days.find((one) => one.date === date)?.[name] ?? 0)
  const counted = (name: Counted) => ({
    label: t(`visitors.${name}`),
    value: formatNumber(figures[name]),
    change: changeOf(figures[name], figuresBefore[name]),
    before: formatNumber(figuresBefore[name]),
    course: courseOf(name),
    note: undefined,
  })
  const { clicksAfterAnswers } = figures
  const clicks = {
    ...counted('clicks'),
    note: clicksAfterAnswers > 0 ? t('afterAnswers', { count: clicksAfterAnswers }) : undefined,
  }
  const [share, shareBefore] = [answeredShare(figures), answeredShare(figuresBefore)]
  const answered = {
    label: t('visitors.answered'),
    value: share === undefined ? '–' : formatShare(share),
    change: undefined,
    before: shareBefore === undefined ? '–' : formatShare(shareBefore),
    course: undefined,
    note: undefined,
  }
  return (
    <dl class="cards figures">
      {[counted('visits'), counted('views'), counted('questions'), answered, clicks].map(
        ({ label, value, change, before, course, note }) => (
          <div key={label} class="card figure compared">
            <dt class="muted">{label}</dt>
            <dd>
              <b>{value}</b>
              {change === undefined ? null : <span class={toneOf(change)}>{signed(change)}</span>}
              <small class="muted">{t('wasBefore', { value: before })}</small>
              {note === undefined ? null : <small>{note}</small>}
            </dd>
            {course ? (
              <dd class="course">
                <Spark values={course} />
              </dd>
            ) : null}
          </div>
        ),
      )}
    </dl>
  )
}

/** Of all questions, those that the texts answered; undefined if there were none. */
function answeredShare({ questions, unanswered }: Schemas['InsightFigures']): number | undefined {
  return questions === 0 ? undefined : Math.max(0, questions - unanswered) / questions
}

/** By how much it grew; undefined where there is nothing to compare with. */
function changeOf(now: number, before: number): number | undefined {
  return before === 0 ? undefined : now / before - 1
}

function signed(change: number): string {
  return `${change > 0 ? '+' : ''}${formatShare(change)}`
}

function toneOf(change: number): string {
  return change > 0 ? 'rise' : change < 0 ? 'fall' : 'muted'
}
