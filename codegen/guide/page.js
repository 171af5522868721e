// The guide works without this: it adds the search and shows one language of samples at a time.

const input = document.getElementById('search')
const found = document.getElementById('found')
/** Address, page, heading and words of every part of the guide; loaded at the first letter. */
let index

async function search() {
  const text = input.value
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  index ??= fetch('/docs/search.json').then((answer) => answer.json())
  const entries = await index
  // A later letter may have been typed meanwhile.
  if (input.value !== text) return
  const hits = words.length > 0 ? ranked(entries, words).slice(0, 20) : []
  found.hidden = words.length === 0
  if (hits.length === 0) found.textContent = 'Nothing found.'
  else found.replaceChildren(...hits.map(linkTo))
}

/** Those with all words; first those that have them in their titles. */
function ranked(entries, words) {
  const rank = ([, page, heading, text]) => {
    const has = (where) => words.every((word) => where.toLowerCase().includes(word))
    if (has(heading)) return 3
    return has(`${page} ${heading}`) ? 2 : has(`${page} ${heading} ${text}`) ? 1 : 0
  }
  return entries
    .map((entry) => ({ entry, score: rank(entry) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry)
}

function linkTo([address, page, heading]) {
  const link = document.createElement('a')
  link.href = `/docs/${address}`
  link.textContent = page === heading ? page : `${page}: ${heading}`
  return link
}

input.addEventListener('input', search)
input.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') found.hidden = true
})
input.form.addEventListener('submit', (event) => {
  event.preventDefault()
  found.querySelector('a')?.click()
})

const names = { sh: 'curl', ts: 'TypeScript', python: 'Python' }
const samples = [...document.querySelectorAll('pre[data-language=sh]')].filter(
  ({ nextElementSibling: next }) => next?.dataset.language === 'ts',
)

/** Storage is refused to pages without cookies. */
function remembered(language) {
  try {
    if (language) localStorage.setItem('language', language)
    return localStorage.getItem('language')
  } catch {
    return language
  }
}

for (const first of samples) {
  const blocks = [first, first.nextElementSibling, first.nextElementSibling.nextElementSibling]
  const buttons = document.createElement('div')
  buttons.className = 'samples'
  const show = (language) => {
    for (const block of blocks) block.hidden = block.dataset.language !== language
    for (const button of buttons.children)
      button.setAttribute('aria-pressed', String(button.value === language))
  }
  for (const { dataset } of blocks) {
    const button = document.createElement('button')
    button.type = 'button'
    button.value = dataset.language
    button.textContent = names[dataset.language]
    button.addEventListener('click', () => show(remembered(button.value)))
    buttons.append(button)
  }
  first.before(buttons)
  show(remembered() in names ? remembered() : 'sh')
}

// On a narrow screen the contents would push the page out of sight.
if (matchMedia('(max-width: 52rem)').matches)
  document.querySelector('nav details').open = false
