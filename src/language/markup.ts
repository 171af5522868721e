/* Descriptions are plain text, but many were pasted from pages: their tags are no words of the product. */

/** Elements that end a line. */
const blocks =
  'p|br|div|li|ul|ol|dl|dt|dd|tr|td|th|table|thead|tbody|h[1-6]|hr|section|article|header|footer|blockquote|pre'
const unseen = /<(script|style)\b[^>]{0,200}>[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi
const blockTags = new RegExp(`<\\/?(?:${blocks})\\b[^<>]{0,500}>`, 'gi')
const otherTags = /<\/?[a-z][a-z0-9-]*(?:\s[^<>]{0,500})?\/?>/gi
const entities = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,8}));/gi

const named: Readonly<Record<string, string>> = {
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

/** A text without the markup of a page. What has none stays as it is. */
export function withoutMarkup(text: string): string {
  if (!/<[a-z/!]|&[#a-z]/i.test(text)) return text
  return text
    .replace(unseen, ' ')
    .replace(blockTags, '\n')
    .replace(otherTags, '')
    .replace(entities, (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? entity
      const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal)
      return code >= 32 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' '
    })
}
