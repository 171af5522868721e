// The guide works without this: it adds the search and shows one language of samples at a time.

/** A part of the guide: address, page, heading and the words below it. */
type Entry = [address: string, page: string, heading: string, text: string]

const input = document.querySelector<HTMLInputElement>('#search')!
const found = document.querySelector<HTMLElement>('#found')!
/** Loaded at the first letter. */
let index: Promise<Entry[]> | undefined

async function search(): Promise<void> {
  const text = input.value
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  index ??= fetch('/docs/search.json').then((answer) => answer.json() as Promise<Entry[]>)
  const entries = await index
  // More may have been typed meanwhile.
  if (input.value !== text) return
  const hits = words.length > 0 ? ranked(entries, words).slice(0, 20) : []
  found.hidden = words.length === 0
  if (hits.length === 0) found.textContent = 'Nothing found.'
  else found.replaceChildren(...hits.map(linkTo))
}

/** Those with all words; first those that have them in their titles. */
function ranked(entries: Entry[], words: string[]): Entry[] {
  const rank = ([, page, heading, text]: Entry) => {
    const has = (where: string) => words.every((word) => where.toLowerCase().includes(word))
    if (has(heading)) return 3
    if (has(`${page} ${heading}`)) return 2
    return has(`${page} ${heading} ${text}`) ? 1 : 0
  }
  return entries
    .map((entry) => ({ entry, score: rank(entry) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry)
}

function linkTo([address, page, heading]: Entry): HTMLElement {
  const link = document.createElement('a')
  link.href = `/docs/${address}`
  link.textContent = page === heading ? page : `${page}: ${heading}`
  return link
}

input.addEventListener('input', () => void search())
input.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') found.hidden = true
})
input.form!.addEventListener('submit', (event) => {
  event.preventDefault()
  found.querySelector('a')?.click()
})

const names: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', python: 'Python' }
const languageOf = (block: Element | null) =>
  block instanceof HTMLElement ? (block.dataset['language'] ?? '') : ''

/** Storage may be forbidden; the choice is then forgotten with the page. */
function remembered(language?: string): string | undefined {
  try {
    if (language) localStorage.setItem('language', language)
    return localStorage.getItem('language') ?? undefined
  } catch {
    return language
  }
}

/** Samples of one call stand below each other, in one order. */
function samplesFrom(first: HTMLElement): HTMLElement[] {
  const blocks = [first]
  for (const language of ['ts', 'python']) {
    const next = blocks.at(-1)!.nextElementSibling
    if (next instanceof HTMLElement && languageOf(next) === language) blocks.push(next)
  }
  return blocks
}

function offerLanguages(blocks: HTMLElement[]): void {
  const choice = document.createElement('div')
  choice.className = 'samples'
  const buttons = blocks.map((block) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.value = languageOf(block)
    button.textContent = names[button.value] ?? button.value
    button.addEventListener('click', () => show(button.value))
    return button
  })
  const show = (language: string) => {
    remembered(language)
    for (const block of blocks) block.hidden = languageOf(block) !== language
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(button.value === language))
  }
  choice.append(...buttons)
  blocks[0]!.before(choice)
  const wanted = remembered() ?? ''
  show(buttons.some(({ value }) => value === wanted) ? wanted : 'sh')
}

for (const first of document.querySelectorAll<HTMLElement>('pre[data-language=sh]')) {
  const blocks = samplesFrom(first)
  if (blocks.length > 1) offerLanguages(blocks)
}

/** A block scrolls sideways under its button, so the button stands outside of what scrolls. */
function offerCopy(block: HTMLElement): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.textContent).then(() => {
      button.textContent = 'Copied'
    })
  })
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(block, button)
}

for (const block of document.querySelectorAll<HTMLElement>('main pre')) offerCopy(block)

// On a narrow screen the contents would push the page out of sight.
if (matchMedia('(max-width: 52rem)').matches)
  document.querySelector<HTMLDetailsElement>('nav details')!.open = false
