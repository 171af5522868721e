import { packs } from '../../language/packs.ts'
import { entriesOf, wordSource } from '../../language/patterns.ts'

/*
 * Strangers choose the names of workspaces and their own, and mails go to other strangers in our name.
 * No name may bring a link, an address or lines of its own. While its account has paid nothing, a name
 * may also not pass for a company or an office, nor bring a number to call: neutral words stand instead.
 */

/** A name, and whether its account has paid. */
export interface MailedName {
  name: string
  isTrusted: boolean
}

/** What mail programs may make a link of: a label of a host, a dot in any form, and two letters. */
const domain = /[\p{L}\p{N}\p{M}\p{S}-][.。｡]\p{L}[\p{L}\p{M}]/u
const scheme = /:\/\/|www[.。｡]|@/iu

/** A link that is meant to be mended by its reader: `hxxp`, `evil[.]example`, `evil dot com`. */
const dot = wordSource(({ planted }) => planted.dot)
const brokenLink = new RegExp(
  `h[tx]{2}ps?\\b|[[({]\\s*(\\.|${dot})\\s*[\\])}]|\\s(${dot})\\s+(com|net|org)\\b`,
  'iu',
)

/** As in a number to call, however it is grouped. */
const digitsInARow = /\p{Nd}([\s\p{P}]*\p{Nd}){2}/u

/** Letters of two scripts that look alike. */
const mixedScripts =
  /\p{sc=Latin}.*[\p{sc=Cyrillic}\p{sc=Greek}]|[\p{sc=Cyrillic}\p{sc=Greek}].*\p{sc=Latin}/u

const lookAlikes: Record<string, string> = {
  l: 'i',
  ı: 'i',
  '1': 'i',
  '|': 'i',
  '!': 'i',
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  $: 's',
  '7': 't',
}

const companies = `vitrine, paypal, stripe, visa, mastercard, google, gmail, apple, icloud, microsoft, outlook,
  amazon, facebook, instagram, whatsapp, netflix, ebay, dhl, fedex, trendyol, hepsiburada, garanti, ziraat,
  akbank, papara, iyzico, turkcell, edevlet, ptt`

/** A word of a name that begins with one of these passes for a company or an office. */
const words = [companies, ...packs.map(({ impostors }) => impostors)].flatMap(entriesOf).map(folded)

/** So many letters stand out even where a name is written together, or s p a c e d. */
const longWord = 6

export function isMailableName({ name, isTrusted }: MailedName): boolean {
  const visible = withoutFormat(name.normalize('NFKC'))
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(visible) || domain.test(visible) || scheme.test(visible))
    return false
  return isTrusted || !isSuspicious(visible)
}

function isSuspicious(name: string): boolean {
  if (brokenLink.test(name) || digitsInARow.test(name) || mixedScripts.test(name)) return true
  const starts = name.split(/[\s\p{P}\p{S}]+/u).map((_, at, all) => folded(all.slice(at).join('')))
  const whole = folded(name)
  return words.some(
    (word) =>
      starts.some((start) => start.startsWith(word)) ||
      (word.length >= longWord && whole.includes(word)),
  )
}

/** Letters alone, without case and marks; those that look alike are the same. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[lı1|!0345$7]/gu, (letter) => lookAlikes[letter] ?? letter)
    .replace(/[^\p{L}]/gu, '')
}

/** Without characters that turn the direction of writing, or hide. */
export function withoutFormat(text: string): string {
  return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
}
