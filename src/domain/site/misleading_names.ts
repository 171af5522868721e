import { domainToUnicode } from 'node:url'

/*
 * Names of shops that a visitor may take for a place to sign in or for a well-known company. Most are
 * harmless; a person looks before their pages are shown.
 */

const listOf = (words: string) => words.split(/\s+/)

/** Companies that nothing else is called by, so that they are found anywhere in a subdomain. */
const strong = listOf(
  `binance coinbase facebook google halkbank hepsiburada instagram klarna mastercard metamask microsoft
  netflix paypal shopify trendyol vakifbank whatsapp yapikredi`,
)

/** Companies whose names are too short, or too common in others, to be looked for within a name. */
const companies = [
  ...strong,
  ...listOf(
    `akbank aliexpress amazon apple denizbank dhl ebay edevlet enpara fedex finansbank garanti gmail hsbc
    icloud isbank isbankasi iyzico kuveytturk linkedin migros n11 outlook papara paytr ptt qnb revolut
    sahibinden spotify stripe telegram tiktok turkcell turktelekom twitter ups visa vitrine vodafone
    yemeksepeti ziraat`,
  ),
]

/** What a place to sign in is called: nobody else has such a word in a name. */
const signing = listOf(
  'login signin signon logon verify verification dogrulama dogrula bankacilik bankaciligi',
)

/** What a place to sign in or to pay is called, if nothing but `fillers` stands beside it. */
const doors = [
  ...signing,
  ...listOf(
    `account accounts auth bank banking billing checkout cuzdan giris girisi helpdesk hesabi hesabim hesap invoice
    odeme oturum password pay payment payments secure sifre wallet`,
  ),
]

/** Words that leave a place to sign in what it is. */
const fillers = listOf(
  `ac access alert app at card center centre check client com confirm connect customer destek fatura for guvenli
  guvenlik help here hizmet hizmeti hizmetleri hosgeldiniz id in info internet islem islemleri kart karti
  kredi link me merkezi mobil mobile musteri my net now official onay online our page panel portal
  recovery reset resmi restore safe sayfa sayfasi security service services site support the to tr unlock
  update user uye uyelik verified web welcome with www yap yardim your`,
)

/** Words that leave a company's name what it is. */
const besides = [
  ...doors,
  ...fillers,
  ...listOf(
    `anonim as bankasi basvuru bbva bonus cekilis corp express gmbh group grubu grup hatti hediye
    holding iade iletisim inc indirim kampanya kampanyasi kapisi kargo kupon limited llc ltd ode odul prime puan refund
    shop sirketi sti store subem subesi takip tas team turkey turkiye`,
  ),
]

/** Digits that stand for letters, as in g00gle. A capital I, which looks like an l, is read as a 1. */
const digits: Record<string, string> = { 0: 'o', 1: 'il', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/** Letters of other scripts that look like ours. */
const lookalikes = new Map(
  Object.entries({
    1: 'IӀӏΙІ|ǀꓲ',
    a: 'аАαΑɑ@ᴀ',
    b: 'ВвΒβʙ',
    c: 'сСϲᴄ',
    d: 'ԁđĐᴅ',
    e: 'еЕεΕᴇ℮',
    f: 'ꜰ',
    g: 'ɡɢ',
    h: 'һНнΗʜ',
    i: 'іıιɪ',
    j: 'јЈᴊ',
    k: 'кКκΚᴋ',
    l: 'łŁʟ',
    m: 'мМΜᴍ',
    n: 'Νηɴ',
    o: 'оОοΟøØᴏօ',
    p: 'рРρΡᴘ',
    q: 'ԛꞯ',
    r: 'ʀ',
    s: 'ѕЅ$ꜱ',
    t: 'тТτΤᴛ',
    u: 'ᴜս',
    v: 'νᴠ',
    w: 'ԝᴡ',
    x: 'хХχΧ',
    y: 'уУΥʏ',
    z: 'Ζᴢ',
  }).flatMap(([letter, looks]) => [...looks].map((look) => [look, letter] as const)),
)

/** Where alphabets in circles, in squares and of flags begin, which Unicode does not say to be letters. */
const enclosed = [0x1f150, 0x1f170, 0x1f1e6]

function letterOf(character: string): string {
  const code = character.codePointAt(0)!
  const from = enclosed.find((first) => code >= first && code < first + 26)
  if (from !== undefined) return String.fromCharCode(code - from + 'a'.charCodeAt(0))
  return lookalikes.get(character) ?? character
}

/** The words of a text in plain letters and digits. What is not seen within a word divides none. */
function wordsOf(text: string): string[] {
  const seen = text.normalize('NFKD').replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  const letters = [...seen].map(letterOf).join('').toLowerCase()
  return letters.match(/[a-z0-9]+/g) ?? []
}

/** Whether people look at a subdomain before its pages are shown. */
export function isMisleading(subDomain: string): boolean {
  const words = wordsOf(subDomain)
  return (
    isImitation(subDomain) ||
    spellingsOf(words).some((read) => hasStrong(read) || isAmong(strong, read)) ||
    isSigning(words) ||
    isMadeOf(words, doors, fillers)
  )
}

/**
 * Whether a shop's own words pass for a company: its name, and nothing beside it but words of signing in and the
 * like. Other names are common words, and a garden centre may call itself "Ziraat Bahçe". Beside a name
 * that nothing else has, one word of signing in is enough.
 */
export function isImitation(text: string): boolean {
  const words = wordsOf(text)
  return spellingsOf(words).some(
    (read) => isMadeOf(read, companies, besides) || (isSigning(words) && hasStrong(read)),
  )
}

/** The same of a domain: of a part of it, or of all before the last. */
export function isImitatingDomain(domain: string): boolean {
  const labels = domainToUnicode(domain).split('.').slice(0, -1)
  return [...labels, labels.join('')].some(isImitation)
}

/** Words as they stand, and as they look: arnazon, vvhatsapp, lnstagram. */
const spellingsOf = (words: string[]) => [
  words,
  words.map((word) =>
    word
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
      .replace(/^l(?=[cn])/, 'i'),
  ),
]

const hasStrong = (words: string[]) =>
  words.some((word) =>
    strong.some((company) => [...word].some((_, at) => hasWord(word, company, at))),
  )

const isSigning = (words: string[]) => isAmong(signing, words)

/** Whether a word, or two together, as in "log in", is one of those known. */
function isAmong(known: readonly string[], words: string[]): boolean {
  const pairs = words.slice(1).map((word, index) => words[index]! + word)
  return [...words, ...pairs].some((word) =>
    known.some((meant) => meant.length === word.length && hasWord(word, meant, 0)),
  )
}

/** Whether a name is made of these words and digits alone, with one of the decisive among them. */
function isMadeOf(
  words: string[],
  decisive: readonly string[],
  others: readonly string[],
): boolean {
  const name = words.join('')
  // How far words reach from the beginning, and whether a decisive one is among them.
  const reached = new Map([[0, false]])
  for (let at = 0; at < name.length; at++) {
    const before = reached.get(at)
    if (before === undefined) continue
    const go = (length: number, decides: boolean) =>
      reached.set(at + length, before || decides || reached.get(at + length) === true)
    if (/\d/.test(name[at]!)) go(1, false)
    for (const word of decisive) if (hasWord(name, word, at)) go(word.length, true)
    for (const word of others) if (hasWord(name, word, at)) go(word.length, false)
  }
  return reached.get(name.length) === true
}

function hasWord(name: string, word: string, at: number): boolean {
  for (let next = 0; next < word.length; next++) {
    const [read, meant] = [name[at + next], word[next]!]
    if (read === undefined) return false
    if (read !== meant && digits[read]?.includes(meant) !== true) return false
  }
  return true
}
