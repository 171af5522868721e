/**
 * Shows a sentence of the page: finds it in the text of the product, however the page divides that into
 * elements, marks it and moves there.
 */
export function goToSentence(sentence: string): boolean {
  const range = [...document.querySelectorAll('[data-source]')]
    .map((place) => rangeOf(place, sentence))
    .find((found) => found !== undefined)
  if (!range) return false
  const element = range.startContainer.parentElement
  if ('highlights' in CSS) CSS.highlights.set('cited', new Highlight(range))
  else
    getSelection()?.setBaseAndExtent(
      range.startContainer,
      range.startOffset,
      range.endContainer,
      range.endOffset,
    )
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' })
  // Readers who do not see the mark hear the paragraph.
  element?.setAttribute('tabindex', '-1')
  element?.focus({ preventScroll: true })
  return true
}

const isLetter = /[\p{L}\p{N}]/u

/** Letters and digits alone: a page may draw what is between them in its own way. */
function rangeOf(place: Element, sentence: string): Range | undefined {
  const wanted = [...sentence].filter((character) => isLetter.test(character)).join('')
  const spots: { node: Text; at: number }[] = []
  let letters = ''
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node as Text
    for (let at = 0; at < text.data.length; at++) {
      const character = text.data[at]!
      if (!isLetter.test(character)) continue
      letters += character
      spots.push({ node: text, at })
    }
  }
  const start = wanted === '' ? -1 : letters.indexOf(wanted)
  if (start < 0) return undefined
  const [first, last] = [spots[start]!, spots[start + wanted.length - 1]!]
  const range = document.createRange()
  range.setStart(first.node, first.at)
  range.setEnd(last.node, last.at + 1)
  return range
}
