import { domainToUnicode } from 'node:url'

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

/** Companies whose names are too short, or too common in others, to be looked for within a name. */
const whole =
  `apple denizbank dhl enpara fedex isbankasi iyzico migros n11 papara paytr ptt qnb sahibinden stripe turkcell ups visa
  vodafone yemeksepeti`.split(/\s+/)

/** Words that leave a company's name what it is. */
const besides = new Set([
  ...[...words].map((word) => word.replaceAll('-', '')),
  ...`anonim app as bankaciligi bankasi bbva bonus cekilis center com corp customer destek dogrula express gmbh grubu
    group grup guvenli hatti hediye help hesabi hesabim hesap hizmeti hizmetleri holding iade id iletisim inc indirim
    internet islemleri kampanya kampanyasi kargo kart karti kredi limited llc ltd merkezi mobil mobile musteri net odul
    online pay prime puan refund resmi service services shop sirketi sti store subem subesi support tas team the tr
    turkey turkiye uyelik verified web www yap yardim`.split(/\s+/),
])

/** Letters of other scripts that look like ours; a 1 is an l or an i. */
const lookalikes = new Map(
  Object.entries({
    1: 'IӀӏΙІ|',
    a: 'аАαΑɑ@',
    b: 'ВвΒβ',
    c: 'сСϲ',
    d: 'ԁđĐ',
    e: 'еЕεΕ',
    g: 'ɡ',
    h: 'һНнΗ',
    i: 'іıι',
    j: 'јЈ',
    k: 'кКκΚ',
    l: 'łŁ',
    m: 'мМΜ',
    n: 'Νη',
    o: 'оОοΟøØ',
    p: 'рРρΡ',
    s: 'ѕЅ$',
    t: 'тТτΤ',
    v: 'ν',
    x: 'хХχΧ',
    y: 'уУΥ',
    z: 'Ζ',
  }).flatMap(([letter, looks]) => [...looks].map((look) => [look, letter] as const)),
)

/**
 * Whether a shop's own words pass for a company: its name, and nothing beside it but words of signing in and the
 * like. Other names are common words, and a garden centre may call itself "Ziraat Bahçe".
 */
export function isImitation(name: string): boolean {
  const plain = [...name.normalize('NFKD')]
    .map((letter) => lookalikes.get(letter) ?? letter)
    .join('')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/[03457]/g, (digit) => letters[digit]!)
  return [plain, plain.replaceAll('rn', 'm').replaceAll('vv', 'w')].some(isCompanyAlone)
}

/** The same of a domain: of a part of it, or of all before the last. */
export function isImitatingDomain(domain: string): boolean {
  const labels = domainToUnicode(domain).split('.').slice(0, -1)
  return [...labels, labels.join('')].some(isImitation)
}

/** Finds how far words reach from the beginning, and whether a company is among them. */
function isCompanyAlone(name: string): boolean {
  const reached = new Map([[0, false]])
  for (let at = 0; at < name.length; at++) {
    const before = reached.get(at)
    if (before === undefined) continue
    const go = (word: string, isCompany: boolean) => {
      const end = at + word.length
      if (hasWord(name, word, at))
        reached.set(end, before || isCompany || reached.get(end) === true)
    }
    for (const company of [...companies, ...whole]) go(company, true)
    for (const word of besides) go(word, false)
  }
  return reached.get(name.length) === true
}

function hasWord(name: string, word: string, at: number): boolean {
  for (let next = 0; next < word.length; next++) {
    const [read, meant] = [name[at + next], word[next]]
    if (read !== meant && !(read === '1' && (meant === 'l' || meant === 'i'))) return false
  }
  return true
}
