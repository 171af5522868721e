import { foldedText, wordsOf } from '../../../language/words.ts'
import { addressIn } from '../finding/addresses.ts'

/**
 * What no answer of a provider's model may hold, however it came about. A model that was talked
 * into something by a product's text or a visitor is stopped here, so everything is judged by what
 * the answer says and nothing by what the model was told. In doubt an answer is held back: the
 * model is asked again.
 */
export type Breach = 'address' | 'price' | 'cure' | 'diagnosis' | 'rules'

/** What an answer may hold, by the data that the model was shown. */
export interface Permitted {
  /** Addresses that the shop itself has entered as such: sales links, contact data. */
  links: readonly string[]
  /** Names of products and brands, which may sound like anything. */
  names: readonly string[]
  /** The rules that must stay inside. */
  rules: string
  /** Whether the answer describes a person: then no illness may be named at all. */
  describesPerson?: boolean
  /** What the catalogue says: a price that stands there may be repeated. */
  catalogue?: string
}

export function breachIn(text: string, permitted: Permitted): Breach | undefined {
  const visible = visibleText(text)
  if (addressIn(visible, permitted)) return 'address'
  if (repeatsRules(visible, permitted.rules)) return 'rules'
  const plain = withoutNames(visible, permitted.names)
  if (savings.some((pattern) => pattern.test(plain))) return 'price'
  if (hasForeignPrice(plain, permitted.catalogue ?? '')) return 'price'
  if (promisesCure(plain)) return 'cure'
  if (permitted.describesPerson && illness.test(foldedText(plain))) return 'diagnosis'
  return undefined
}

/** A text as it is read: look-alike letters and invisible characters must not hide anything. */
function visibleText(text: string): string {
  return text.normalize('NFKC').replace(/\p{Cf}/gu, '')
}

function withoutNames(text: string, names: readonly string[]): string {
  const byLength = [...names].filter((name) => name.length > 2).sort((a, b) => b.length - a.length)
  return byLength.reduce((rest, name) => rest.replaceAll(visibleText(name), ' '), text)
}

const currencies = '(?:USD|EUR|GBP|TRY|CHF|JPY|CNY|RUB|INR|AED|SAR|TL|Tl|tl|₺)'
const amount = '\\d[\\d.,]{0,12}'
const numberWord =
  '(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|bir|iki|üç|dört|beş|altı|yedi|sekiz|dokuz|on|yirmi|otuz|kırk|elli|altmış|yetmiş|seksen|doksan|yüz|bin)'
const money =
  '(?:dollars?|euros?|cents?|bucks|pounds? sterling|lira|liras|liraya|liradan|liralık|kuruş|dolar|dolara|avro|sterlin|franc?s?|rubles?|rupees?)'
const priceWord = '(?:prices?|priced|costs?|fiyat\\p{L}*|ücret\\p{L}*|preis\\p{L}*|prix|precios?)'
const saving =
  '(?:discount\\p{L}*|coupons?|vouchers?|promo\\p{L}*|indirim\\p{L}*|kupon\\p{L}*|rabatt\\p{L}*|gutschein\\p{L}*)'

/** What a number measures that is no price: "500 ml". */
const units =
  '(?:ml|cl|dl|l|lt|mg|g|gr|kg|mm|cm|m|km|w|kw|v|db|°|%|x|adet|tane|pieces?|pcs|hours?|minutes?|days?|saat|dakika|gun|gün)'

/** Amounts of money. */
const amounts = [
  new RegExp(`\\p{Sc}\\s{0,3}${amount}|${amount}\\s{0,3}\\p{Sc}`, 'gu'),
  new RegExp(
    `(?<!\\p{L})${currencies}\\s{0,3}${amount}|${amount}\\s{0,3}${currencies}(?!\\p{L})`,
    'gu',
  ),
  new RegExp(`(?:${amount}|(?<!\\p{L})${numberWord})[\\s-]{1,3}${money}(?!\\p{L})`, 'giu'),
]

/** The amounts of money in a text. */
export function amountsIn(text: string): string[] {
  return amounts.flatMap((pattern) => visibleText(text).match(pattern) ?? [])
}

/** A product has no field for its price: one that does not stand in its text is made up or planted. */
const prices = [
  ...amounts,
  new RegExp(
    `(?<!\\p{L})${priceWord}(?!\\p{L})[^.!?\\n\\d]{0,40}${amount}(?![\\d.,])(?!\\s{0,3}${units}(?!\\p{L}))`,
    'giu',
  ),
]

const savings = [
  new RegExp(
    `${amount}\\s{0,3}%\\s{0,3}(?:off|${saving})|%\\s{0,3}${amount}\\s{0,3}${saving}`,
    'iu',
  ),
  new RegExp(
    `(?<!\\p{L})${saving}(?!\\p{L})[^.!?\\n]{0,40}(?:\\d|(?<!\\p{L})(?:codes?|kod))`,
    'iu',
  ),
  new RegExp(
    `(?:\\d|(?<!\\p{L})(?:codes?|kod))[^.!?\\n]{0,40}(?<!\\p{L})${saving}(?!\\p{L})`,
    'iu',
  ),
]

/** Whether a text states a price that the catalogue does not. */
function hasForeignPrice(text: string, catalogue: string): boolean {
  const stated = sumsIn(text)
  if (stated.length === 0) return false
  const known = new Set(sumsIn(visibleText(catalogue)))
  return stated.some((each) => !known.has(each))
}

/** The numbers of the prices in a text; of one in words, the words. */
function sumsIn(text: string): string[] {
  return prices.flatMap((pattern) =>
    (text.match(pattern) ?? []).map((found) => {
      const digits = found.match(/\d[\d.,]*/g)?.at(-1)
      return digits === undefined ? foldedText(found) : digits.replace(/[.,]+$/, '')
    }),
  )
}

const illness =
  /(?<!\p{L})(?:eczema|egzama|psoriasis|sedef hastaligi|rosacea|rozasea|acne vulgaris|dermatitis|dermatit|melanoma|cancer|kanser|diabetes|diyabet|arthritis|romatizma|asthma|astim|infection|enfeksiyon|migraine|migren|alopecia|vitiligo|lupus|herpes|depression|depresyon)\p{L}*/u

const healing =
  /(?<!\p{L})(?:cures?|cured|curing|heals?|healed|healing|remedy|remedies|eradicates?|iyilestir\p{L}*|sifa\p{L}*|tedavi (?:ed|et|sagla)\p{L}*|heilt|heilen|guerit|guerir)(?!\p{L})/gu

const treating =
  /(?<!\p{L})(?:treats?|treating|treated|treatment (?:of|for|against)|reliev\p{L}+|gets? rid of|eliminat\p{L}+|tedavi\p{L}*|giderir|gecirir|yok eder|bitirir|behandelt|soigne)(?!\p{L})/gu

const denied =
  /(?:^|[^\p{L}])(?:not|no|never|cannot|can't|doesn't|don't|won't|nor|nicht|kein\p{L}*)[^\p{L}]/u
const denial = /(?:iyilestirmez|iyilestirmiyor|tedavi etmez|tedavi etmiyor|degil)/u
const emphasis = /not (?:only|just|merely)/u

/** Whether a sentence says that something heals, or acts on an illness. Denials are fine. */
function promisesCure(text: string): boolean {
  return foldedText(text)
    .split(/[.!?\n]+/)
    .some((sentence) => {
      // Once for a sentence, not for each match in it: a long one may have thousands.
      const isEmphatic = emphasis.test(sentence)
      if (!isEmphatic && denial.test(sentence)) return false
      const patterns = illness.test(sentence) ? [healing, treating] : [healing]
      return patterns.some((pattern) =>
        [...sentence.matchAll(pattern)].some(
          ({ index }) => isEmphatic || !denied.test(sentence.slice(Math.max(0, index - 40), index)),
        ),
      )
    })
}

/** So many words in a row are no coincidence. */
const run = 6
const runsOfRules = new Map<string, Set<string>>()
const inside = /<\/?(?:catalogue|questions|profile|visitor|owner|shop)>|search_catalogue/i

function repeatsRules(text: string, rules: string): boolean {
  if (inside.test(text)) return true
  const known = runsOfRules.get(rules) ?? new Set(runsOf(rules))
  runsOfRules.set(rules, known)
  return runsOf(text).some((words) => known.has(words))
}

function runsOf(text: string): string[] {
  const words = wordsOf(text)
  return words.slice(run - 1).map((_, index) => words.slice(index, index + run).join(' '))
}
