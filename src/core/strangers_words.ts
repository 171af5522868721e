import { Parser } from 'htmlparser2'

/**
 * Texts that a model reads must not say more than people see. Tag characters spell words that nothing
 * shows; other invisible characters and hidden HTML do the same.
 */

/** Tag characters and variation selectors beyond the sixteenth share this half of a surrogate pair. */
const tagHalf = '\udb40'

/** A region's flag: the one use of tag characters. Six of them say little that is hidden. */
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
/** What shows nothing: default-ignorable characters, among them all controls of direction, and others. */
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB[\p{Cc}--[\n\r\t]]]`
const emoji = String.raw`\p{RGI_Emoji}|[\p{Emoji}--[0-9#*]]\uFE0F`
const shown = new RegExp(`(${emoji}|${joiner})|${invisible}`, 'gv')

/** What a visitor wrote as people see it: without invisible characters and hidden HTML. */
export function strangersWords(text: string): string {
  let words = text.replace(shown, (_, kept?: string) => kept ?? '')
  // What was cut out may have kept a tag apart.
  for (let pass = 0; pass < maxPasses; pass++) {
    const cut = withoutHiddenHtml(words)
    if (cut === words) return words
    words = cut
  }
  // Nested so deep on purpose: nothing of it is to be taken for HTML.
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
