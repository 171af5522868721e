/*
 * Names of shops that a visitor may take for a place to sign in or for a well-known company. Most are
 * harmless; a person looks before their pages are shown.
 */

/** Companies that are imitated most, found anywhere in a name. */
const companies =
  `paypal google gmail microsoft outlook facebook instagram whatsapp telegram netflix amazon
  icloud mastercard binance coinbase metamask revolut klarna shopify trendyol hepsiburada ziraat akbank
  garanti isbank vakifbank halkbank yapikredi edevlet vitrine`.split(/\s+/)

/** Words of a place to sign in or to pay, and names that others have in them; whole parts of a name. */
const words = new Set(
  `login log-in signin sign-in logon account accounts auth secure security verify verification password
  bank banking bankacilik wallet payment payments odeme checkout invoice helpdesk official giris
  dogrulama sifre guvenlik apple stripe visa dhl ups fedex`.split(/\s+/),
)

/** Digits that stand for letters: g00gle. A 1 may be either of two: paypa1, b1nance. */
const letters: Record<string, string> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/** Whether people look at a name before its pages are shown. */
export function isMisleading(subDomain: string): boolean {
  const spelled = subDomain.replace(/[03457]/g, (digit) => letters[digit]!)
  return ['l', 'i'].some((letter) => passesForOthers(spelled.replaceAll('1', letter)))
}

function passesForOthers(spelled: string): boolean {
  const joined = spelled.replaceAll('-', '')
  if (companies.some((company) => joined.includes(company))) return true
  const parts = spelled.split('-')
  const pairs = parts.slice(1).map((part, index) => `${parts[index]}-${part}`)
  return [...parts, ...pairs].some((part) => words.has(part))
}
