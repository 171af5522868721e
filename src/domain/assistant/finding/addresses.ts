import { parsedUrl } from '../../../core/urls.ts'
import { wordSource } from '../../../language/patterns.ts'
import { foldedText } from '../../../language/words.ts'

/** Words for the signs of an address; in brackets also those of languages without a pack. */
const dot = wordSource(({ planted }) => planted.dot)
const at = wordSource(({ planted }) => planted.at)
const bracketed = (words: string) =>
  new RegExp(`\\s{0,3}[[({<]\\s{0,3}(?:${words})\\s{0,3}[\\])}>]\\s{0,3}`, 'giu')

/** Separators that stand for the signs of an address: "evil [dot] com", "me (at) evil.com". */
const spelledOut: [RegExp, string][] = [
  [bracketed(`${dot}|punkt|point|punto`), '.'],
  [bracketed(at), '@'],
  [
    new RegExp(
      `\\s{1,3}(?:${dot})\\s{1,3}(?=(?:com|net|org|info|io|co|me|app|shop|xyz|tr|ru)(?!\\p{L}))`,
      'giu',
    ),
    '.',
  ],
  [/[\u3002\u2024\u2027\u00b7]/gu, '.'],
  [/hxxp/giu, 'http'],
]

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?'

const mailboxes = /[^\s@]{0,64}@[\p{L}\p{N}._-]{2,}/giu

/** What leads a reader somewhere: links, hosts, mailboxes, handles. */
const places = [
  /[a-z][a-z0-9+.-]{1,20}:\/\/\S*/giu,
  /(?<!\p{L})(?:mailto|tel|sms|javascript|data|whatsapp|bitcoin|ethereum|tg):\S+/giu,
  mailboxes,
  // A host: labels and a last one of letters. "1.adım" is a numbered step.
  new RegExp(
    `(?<![\\p{L}\\p{N}.@_-])(?!\\d+\\.\\p{L}+(?![.\\p{L}\\p{N}/-]|:\\d))(?:${label}\\.)+\\p{L}{2,24}(?![\\p{L}\\p{N}-])(?::\\d+)?(?:[/?#]\\S*)?`,
    'gu',
  ),
  /(?<![\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{N}.])\S*/gu,
]

/** Numbers to call. Those with more digits than a telephone number has are accounts. */
const numbers = [/(?:\+|(?<!\d)0)\d?(?:[\s().-]{0,2}\d){9,}/gu, /\d{10,}/gu]
const maxPhoneDigits = 15

/** Where money goes: IBANs, wallets. */
const accounts = [
  /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,}/gu,
  /(?<![\p{L}\p{N}])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{20,}(?![\p{L}\p{N}])/giu,
]

/** What a text leads to that the shop has not entered as its own. */
export interface Lead {
  kind: 'place' | 'phone' | 'account'
  text: string
}

interface Own {
  links: readonly string[]
  names: readonly string[]
}

/** Whether a text holds an address that the shop has not entered as one. */
export function addressIn(text: string, own: Own): boolean {
  return leadsIn(text, own).length > 0
}

export function leadsIn(text: string, { links, names }: Own): Lead[] {
  const read = spelledOut.reduce((rest, [pattern, sign]) => rest.replace(pattern, sign), text)
  const rest = withoutOwn(read, ownSpellings(links))
  const hosts = new Set(links.flatMap(hostOf))
  const nameWords = new Set(names.flatMap((name) => foldedText(name).split(/\s+/)))
  const isOwn = (found: string) => {
    const address = foldedText(found)
    const isBare = /^[\p{L}\p{N}.-]+$/u.test(address) && /\p{L}/u.test(address)
    return hosts.has(address) || (isBare && nameWords.has(address))
  }
  const found = (patterns: RegExp[], kindOf: (text: string) => Lead['kind']) =>
    patterns
      .flatMap((pattern) => rest.match(pattern) ?? [])
      .map((each) => withoutEnd(each, punctuation))
      .filter((each) => !isOwn(each))
      .map((each): Lead => ({ kind: kindOf(each), text: each }))
  // The pattern of mailboxes begins anew at each letter, in vain in most texts.
  const sought = rest.includes('@') ? places : places.filter((pattern) => pattern !== mailboxes)
  return [
    ...found(sought, () => 'place'),
    ...found(accounts, () => 'account'),
    ...found(numbers, (each) =>
      each.replace(/\D/g, '').length > maxPhoneDigits ? 'account' : 'phone',
    ),
  ]
}

/** A link as people write it: with and without scheme, www and the last slash. */
function ownSpellings(links: readonly string[]): ReadonlySet<string> {
  const spellings = links.flatMap((link) => {
    const whole = withoutEnd(link.normalize('NFKC').trim(), closing)
    const short = whole.replace(/^(?:https?:\/\/|mailto:)/i, '')
    return [whole, short, short.replace(/^www\./i, '')]
  })
  return new Set(spellings.filter(Boolean))
}

const punctuation = new Set('.,;:!?)]}\'"”’»')
/** What may follow an address and is none of it. */
const closing = new Set([...punctuation, '/', '>'])
/** Behind these a text is still part of what came before. */
const joining = /[\p{L}\p{N}.@/:_=&?%-]/u

/** Not by a pattern that ends in `$`: it begins anew at each mark of a long row. */
function withoutEnd(text: string, marks: ReadonlySet<string>): string {
  let end = text.length
  while (end > 0 && marks.has(text[end - 1]!)) end--
  return text.slice(0, end)
}

/**
 * Takes out the spellings where they stand alone: nothing may follow that leads elsewhere. Word by
 * word, because a pattern of all links of a shop could be megabytes long.
 */
function withoutOwn(text: string, own: ReadonlySet<string>): string {
  let longest = 0
  for (const { length } of own) longest = Math.max(longest, length)
  return text.replace(/\S+/g, (word) => {
    const bare = withoutEnd(word, closing)
    for (let start = Math.max(0, bare.length - longest); start < bare.length; start++) {
      if (start > 0 && joining.test(bare[start - 1]!)) continue
      if (own.has(bare.slice(start))) return `${word.slice(0, start)} ${word.slice(bare.length)}`
    }
    return word
  })
}

/** The host of a link may stand by itself: "at shop.example". A mailbox has none of its own. */
function hostOf(link: string): string[] {
  const url = parsedUrl(link)
  if (!url || !/^https?:$/.test(url.protocol)) return []
  const { hostname } = url
  return [hostname, hostname.replace(/^www\./, '')]
}
