import { Parser } from 'htmlparser2'

/**
 * A model must not read more in a text than people see. Tag characters can spell words that are not
 * displayed; other invisible characters and hidden HTML can do the same.
 */

/** The high surrogate that tag characters share with variation selectors above the sixteenth. */
const tagHalf = '\udb40'

/** A region's flag, the only legitimate use of tag characters: too short to hide much. */
const flag = String.raw`\u{1F3F4}[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,4}\u{E007F}`
const tags = new RegExp(`(${flag})|[\\u{E0000}-\\u{E007F}]`, 'gu')

/** A text, or JSON, without tag characters outside flags. Nearly every text has none. */
export function withoutTags(text: string): string {
  return text.includes(tagHalf) ? text.replace(tags, (_, kept?: string) => kept ?? '') : text
}

/** Scripts in which a joiner between two letters changes how they are written. */
const joining = ['Arabic', 'Syriac', 'Nko', 'Mandaic', 'Mongolian', 'Devanagari', 'Bengali']
  .concat('Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala')
  .concat('Khmer', 'Myanmar', 'Tibetan')
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const joiner = `(?<=[${joining}])[\\u200C\\u200D](?=[${joining}])`
/**
 * Characters that display nothing: default-ignorable ones, which include all direction controls, and
 * others.
 */
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB[\p{Cc}--[\n\r\t]]]`
const emoji = String.raw`\p{RGI_Emoji}|[\p{Emoji}--[0-9#*]]\uFE0F`
const shown = new RegExp(`(${emoji}|${joiner})|${invisible}`, 'gv')

/** What a visitor wrote, as people see it: without invisible characters and hidden HTML. */
export function strangersWords(text: string): string {
  let words = text.replace(shown, (_, kept?: string) => kept ?? '')
  // Removing one tag may join the halves of another.
  for (let pass = 0; pass < maxPasses; pass++) {
    const cut = withoutHiddenHtml(words)
    if (cut === words) return words
    words = cut
  }
  // Only deliberate nesting is this deep: leave nothing that could be read as HTML.
  return words.replaceAll('<', '')
}

const maxPasses = 4

function withoutHiddenHtml(text: string): string {
  if (!/<[a-z!?]/i.test(text)) return text
  const cuts: [start: number, end: number][] = []
  let [depth, start, isRead] = [0, 0, false]
  const cutToken = () => {
    if (depth === 0) cuts.push([parser.startIndex, parser.endIndex + 1])
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (depth === 0 && !isHidden(name, attributes)) return
      if (depth++ === 0) start = parser.startIndex
    },
    onclosetag() {
      if (isRead || depth === 0 || --depth > 0) return
      cuts.push([start, parser.endIndex + 1])
    },
    oncomment: cutToken,
    onprocessinginstruction: cutToken,
  })
  parser.write(text)
  isRead = true
  if (depth > 0) cuts.push([start, text.length])
  parser.end()
  return cuts.reduceRight((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text)
}

const unseen = new Set(['script', 'style', 'template', 'noscript', 'head', 'iframe', 'object'])
const hiding =
  /display:none|visibility:(hidden|collapse)|opacity:0*(\.0+)?(;|$)|(font-size|width|height):0|color:transparent|(text-indent|left|top):-\d{3}/

function isHidden(name: string, { style = '', ...attributes }: Record<string, string>): boolean {
  if (unseen.has(name) || 'hidden' in attributes) return true
  return hiding.test(style.toLowerCase().replace(/\s/g, ''))
}
