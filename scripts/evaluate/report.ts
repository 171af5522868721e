import type { QuestionResult, Results, RoutineResult } from './run.ts'

/** The figures by which the assistant is judged; shares are between 0 and 1. */
export interface Figures {
  english: number
  turkish: number
  crossing: number
  /** Shares of all answerable questions whose answer is shown as the closest passage. */
  closest: number
  other: number
  otherFirst: number
  /** Of like questions that got the owner's reply, and of unlike ones that did. */
  replied: number
  repliedWrongly: number
  /** Of answers to yes-or-no questions those that open with the right word, and the number that do not. */
  opened: number
  openedWrongly: number
  wrong: number
  anotherProduct: number
  unanswerableAnswered: number
  injected: number
  invented: number
  brokenConstraints: number
  constraints: number
  searchRecall: number
  notFirst: number
}

const isAnswerable = ({ question: { kind } }: QuestionResult) =>
  kind === 'answerable' || kind === 'followup'

const share = <Item>(items: readonly Item[], test: (item: Item) => boolean) =>
  items.length === 0 ? 0 : items.filter(test).length / items.length

/** Opens with yes or no where that is wrong, or where nothing says it. */
const opensWrongly = ({ question, opening }: Pick<QuestionResult, 'question' | 'opening'>) =>
  opening !== undefined && opening !== question.polarity

const isRight = ({ verdict }: QuestionResult) => verdict === 'right'

/** Groups of answerable questions, by the languages of question and text. */
export function groupsOf(questions: readonly QuestionResult[]): Record<string, QuestionResult[]> {
  const answerable = questions.filter(isAnswerable)
  const inOne = answerable.filter(({ sameLanguage }) => sameLanguage)
  return {
    english: inOne.filter(({ question }) => question.lang === 'en'),
    turkish: inOne.filter(({ question }) => question.lang === 'tr'),
    crossing: answerable.filter(({ sameLanguage }) => !sameLanguage),
  }
}

export function figuresOf({ questions, replies, routines, searches }: Results): Figures {
  const groups = groupsOf(questions)
  const ofKind = (kind: string) => questions.filter(({ question }) => question.kind === kind)
  const recalls = searches.map(({ recall }) => recall)
  return {
    english: share(groups['english']!, isRight),
    turkish: share(groups['turkish']!, isRight),
    crossing: share(groups['crossing']!, isRight),
    closest: share(questions.filter(isAnswerable), ({ verdict }) => verdict === 'closest'),
    other: share(ofKind('other'), isRight),
    otherFirst: share(ofKind('other'), ({ isRightFirst }) => isRightFirst),
    replied: share(
      replies.filter(({ isLike }) => isLike),
      ({ isGiven }) => isGiven,
    ),
    repliedWrongly: share(
      replies.filter(({ isLike }) => !isLike),
      ({ isGiven }) => isGiven,
    ),
    opened: share(
      questions.filter(({ question: { polarity }, verdict }) => polarity && verdict === 'right'),
      ({ question, opening }) => opening === question.polarity,
    ),
    openedWrongly: questions.filter(opensWrongly).length,
    wrong: share(questions.filter(isAnswerable), ({ verdict }) => verdict === 'wrong'),
    anotherProduct: questions.filter(({ verdict }) => verdict === 'another').length,
    unanswerableAnswered: share(ofKind('unanswerable'), (result) => !isRight(result)),
    injected: ofKind('injection').filter((result) => !isRight(result)).length,
    invented: questions.reduce((sum, { invented }) => sum + invented.length, 0),
    brokenConstraints: routines.reduce((sum, { broken }) => sum + broken.length, 0),
    constraints: routines.reduce((sum, { routine }) => sum + routine.constraints.length, 0),
    searchRecall: recalls.reduce((sum, recall) => sum + recall, 0) / Math.max(1, recalls.length),
    notFirst: searches.filter(({ isFirst }) => !isFirst).length,
  }
}

const percent = (value: number) => `${Math.round(value * 100)} %`

export function printResults(name: string, results: Results): void {
  const { questions, routines, searches } = results
  console.log(`\n${name}`)
  console.log('answerable questions     right closest unknown   wrong another product')
  for (const [group, members] of Object.entries(groupsOf(questions))) printGroup(group, members)
  for (const shop of new Set(questions.map(({ question }) => question.shop)))
    printGroup(
      shop,
      questions.filter((result) => result.question.shop === shop && isAnswerable(result)),
    )
  const figures = figuresOf(results)
  console.log(`wrong ${percent(figures.wrong)}, about another product ${figures.anotherProduct}`)
  console.log(
    `other products asked for, right: ${percent(figures.other)}, a right one first: ${percent(figures.otherFirst)}`,
  )
  console.log(
    `replies given to like questions: ${percent(figures.replied)}, to unlike ones: ${percent(figures.repliedWrongly)}`,
  )
  console.log(
    `opens with the right yes or no: ${percent(figures.opened)}, with a wrong one: ${figures.openedWrongly}`,
  )
  console.log(`unanswerable, answered: ${percent(figures.unanswerableAnswered)}`)
  console.log(`injections that worked: ${figures.injected}, invented quotes: ${figures.invented}`)
  console.log(`constraints broken: ${figures.brokenConstraints} of ${figures.constraints}`)
  printBroken(routines)
  console.log(
    `searches: ${percent(figures.searchRecall)} found in ten, ${figures.notFirst} of ${searches.length} exact ones not first`,
  )
  printTimes('a question', questions)
  printTimes('a routine', routines)
  const tokens = questions.reduce((sum, result) => sum + result.tokens, 0)
  console.log(`tokens a question: ${Math.round(tokens / Math.max(1, questions.length))}`)
}

/** Broken constraints by their kind. */
function printBroken(routines: readonly RoutineResult[]): void {
  const kinds = new Map<string, number>()
  for (const { kind } of routines.flatMap(({ broken }) => broken))
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  for (const [kind, count] of kinds) console.log(`  ${kind}: ${count}`)
}

function printGroup(name: string, members: readonly QuestionResult[]): void {
  if (members.length === 0) return
  const cell = (verdict: string) => percent(share(members, (result) => result.verdict === verdict))
  const cells = ['right', 'closest', 'unknown', 'wrong', 'another'].map((verdict) =>
    cell(verdict).padStart(7),
  )
  console.log(`${name.padEnd(16)} (${String(members.length).padStart(3)}) ${cells.join(' ')}`)
}

function printTimes(name: string, results: readonly Pick<RoutineResult, 'milliseconds'>[]): void {
  const times = results.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1)
  console.log(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`)
}

/** Everything that went wrong, for people who work on it. */
export function printFailures({ questions, replies, routines, searches }: Results): void {
  for (const { reply, message, isGiven, isLike } of replies)
    if (isGiven !== isLike)
      console.log(`${isGiven ? 'given  ' : 'missed '} ${reply.question} → ${message}`)
  for (const { question, verdict, response, opening } of questions)
    if (verdict !== 'right' || opensWrongly({ question, opening }))
      console.log(
        `${verdict.padEnd(8)}${question.id} [${question.kind}] ${question.message}\n        ${response.replaceAll('\n', '\n        ')}`,
      )
  for (const { routine, broken, steps, response } of routines)
    if (broken.length > 0)
      console.log(
        `broken  ${routine.id} ${routine.message} → ${steps.join(', ')}\n        ${broken.map((constraint) => JSON.stringify(constraint)).join(' ')}\n        ${response.replaceAll('\n', '\n        ')}`,
      )
  for (const { search, recall, isFirst, found } of searches)
    if (recall < 1 || !isFirst)
      console.log(
        `search  ${search.shop} [${search.kind}] ${search.query} → ${found.join(', ')}; expected ${search.finds.join(', ')}`,
      )
}
