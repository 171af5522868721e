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

/** No account has more digits in a row, no telephone number either. */
const tooLong = /\d{35,}/g

/** What may be an IBAN; its check digits say whether it is. */
const ibans = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}/giu
const [shortestIban, longestIban] = [15, 34]

/** Wallets, each kind in the only letters and lengths that it can have: a long word is none. */
const wallets = [
  // Ethereum, Sui and the like.
  '0x(?:[\\da-fA-F]{40}|[\\da-fA-F]{64})',
  // Bitcoin, Litecoin, Cardano, Cosmos: a name, a 1, and letters that cannot be mixed up.
  '[a-z]{2,10}1[ac-hj-np-z02-9]{20,110}',
  '[A-Z]{2,10}1[AC-HJ-NP-Z02-9]{20,110}',
  // Invoices of Lightning say the sum first.
  'ln(?:bc|tb)\\d{0,12}[munp]?1[ac-hj-np-z02-9]{50,1500}',
  // Bitcoin, Tron, Ripple, Solana, Monero: base 58, in which a wallet has letters of both cases and digits.
  '(?=[A-Za-z]*\\d)(?=[A-Z\\d]*[a-z])(?=[a-z\\d]*[A-Z])(?:[1-9A-HJ-NP-Za-km-z]{25,48}|[1-9A-HJ-NP-Za-km-z]{95}|[1-9A-HJ-NP-Za-km-z]{106})',
  // Bitcoin Cash, without its name.
  '[qp][ac-hj-np-z02-9]{41}',
  // Stellar and TON.
  'G[A-Z2-7]{55}',
  '[EUk0]Q[A-Za-z\\d_-]{46}',
].map((form) => new RegExp(`(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])`, 'gu'))

/** Whether an IBAN begins there: at the end of one of its groups the check digits are right. */
function isIban(text: string, start: number): boolean {
  let compact = ''
  for (const part of text.slice(start, start + 2 * longestIban).split(/\s/)) {
    const [group] = /^[A-Z0-9]*/i.exec(part)!
    compact += group
    if (compact.length > longestIban) return false
    if (compact.length >= shortestIban && remainderOf(compact) === 1) return true
    if (group.length < part.length) return false
  }
  return false
}

/** By ISO 7064, modulo 97: letters count from 10, and the first four signs stand last. */
function remainderOf(iban: string): number {
  let remainder = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}

const ibansIn = (text: string): string[] =>
  [...text.matchAll(ibans)].flatMap(({ 0: found, index }) => (isIban(text, index) ? [found] : []))

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
  const matches = (patterns: RegExp[], where = rest) =>
    patterns.flatMap((pattern) => where.match(pattern) ?? [])
  const found = (texts: string[], kindOf: (text: string) => Lead['kind']) =>
    texts
      .map((each) => withoutEnd(each, punctuation))
      .filter((each) => !isOwn(each))
      .map((each): Lead => ({ kind: kindOf(each), text: each }))
  // The pattern of mailboxes begins anew at each letter, in vain in most texts.
  const sought = rest.includes('@') ? places : places.filter((pattern) => pattern !== mailboxes)
  return [
    ...found(matches(sought), () => 'place'),
    ...found([...ibansIn(rest), ...matches(wallets)], () => 'account'),
    ...found(matches(numbers, rest.replace(tooLong, ' ')), (each) =>
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
