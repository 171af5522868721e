/* Descriptions are plain text, but many were pasted from pages: their tags are no words of the product. */

/** Elements that end a line. */
const blocks =
  'p|br|div|li|ul|ol|dl|dt|dd|tr|td|th|table|thead|tbody|h[1-6]|hr|section|article|header|footer|blockquote|pre'
/** What begins with these is not shown up to its end. */
const unseen = /<(script|style)\b[^>]{0,200}>|<!--/gi
const ends = { script: /<\/script>/gi, style: /<\/style>/gi, comment: /-->/g }
const blockTags = new RegExp(`<\\/?(?:${blocks})\\b[^<>]{0,500}>`, 'gi')
const otherTags = /<\/?[a-z][a-z0-9-]*(?:\s[^<>]{0,500})?\/?>/gi
const entities = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,8}\d{0,2}));/gi

const named: Readonly<Record<string, string>> = {
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  ccedil: 'ç',
  scedil: 'ş',
  gbreve: 'ğ',
  imath: 'ı',
  acirc: 'â',
  icirc: 'î',
  ucirc: 'û',
  agrave: 'à',
  aacute: 'á',
  eacute: 'é',
  egrave: 'è',
  ecirc: 'ê',
  ntilde: 'ñ',
  szlig: 'ß',
  euro: '€',
  pound: '£',
  copy: '©',
  reg: '®',
  trade: '™',
  frac12: '½',
  frac14: '¼',
  sup2: '²',
  sup3: '³',
  laquo: '«',
  raquo: '»',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  zwnj: '',
  zwj: '',
  plusmn: '±',
  micro: 'µ',
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ndash: '–',
  mdash: '—',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  deg: '°',
  times: '×',
  bull: '•',
  middot: '·',
  shy: '',
}

/** A page that was escaped before it was pasted shows its tags only once that is undone. */
const rounds = 3

/** A text without the markup of a page. What has none stays as it is. */
export function withoutMarkup(text: string): string {
  let plain = text
  for (let round = 0; round < rounds && hasMarkup.test(plain); round++) plain = stripped(plain)
  // A text that was cut may end within a tag.
  return plain.replace(cutTag, '')
}

const hasMarkup = /<[a-z/!]|&[#a-z]/i
const cutTag = new RegExp(
  `<\\/?(?:${blocks}|span|a|b|i|u|em|strong|img|font)(?:\\s[^<>]{0,500})?$`,
  'i',
)

function stripped(text: string): string {
  return withoutUnseen(text)
    .replace(blockTags, '\n')
    .replace(otherTags, '')
    .replace(entities, (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return characterOf(name) ?? entity
      const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal)
      return code >= 32 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' '
    })
}

/**
 * An end that is missing once is missing for all that follows. A pattern of both would look for it anew
 * behind each beginning.
 */
function withoutUnseen(text: string): string {
  const shown: string[] = []
  const unended = new Set<keyof typeof ends>()
  let [from, at] = [0, 0]
  for (;;) {
    unseen.lastIndex = at
    const found = unseen.exec(text)
    if (!found) return [...shown, text.slice(from)].join(' ')
    const kind = (found[1]?.toLowerCase() ?? 'comment') as keyof typeof ends
    const end = ends[kind]
    end.lastIndex = unseen.lastIndex
    if (unended.has(kind) || !end.test(text)) {
      unended.add(kind)
      at = found.index + 1
    } else {
      shown.push(text.slice(from, found.index))
      from = at = end.lastIndex
    }
  }
}

/** &Uuml; is the capital of &uuml;. */
function characterOf(name: string): string | undefined {
  const character = named[name.toLowerCase()]
  if (name === 'Imath' || name === 'Idot') return 'İ'
  return /^[A-Z][a-z]/.test(name) ? character?.toUpperCase() : character
}
