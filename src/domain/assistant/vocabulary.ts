import { sameWord, wordsOf } from '../../core/words.ts'
import { type Language, languages } from '../../texts/languages.ts'
import type { Sector } from './ai_model.ts'

const list = (text: string) => wordsOf(text)

/** Stop words, by the language they indicate. */
const fillers: Record<Language, ReadonlySet<string>> = {
  en: new Set(
    list(`a about after against also am an and another any anything are as at be been but by can could day daily did do does doing everything
    find for free from get give good got had has have he help helps helpful hello her here hey hi his how i if in into is it its
    just know let like long look looking made make many may me more most much must my need no not of off offer often
    ok on one only or other our out please product products really recommend routine same say sell she should show
    so some something suggest tell than thank thanks that the their them then there these they thing this those
    time times to too type up us very want was way we well were what when where which while who why will
    with without work works would yes you your`),
  ),
  tr: new Set(
    list(`acaba ama ancak bana bazı ben beni bence bile bir biri biraz biz bize bu buna bunda bunlar
    bunu bunun çok da daha de defa değil dı diye en eğer evet fakat gibi göre gün günde günlük hangi hangisi hani hayır hazırla hazırlar
    hem hep her herhangi için içinde ile ise iyi kaç kadar kere kez ki kim lazım lütfen merhaba mi
    mı mu mü mıdır midir mıyım miyim musunuz mısınız misiniz müsünüz nasıl ne neden nedir nelerdir
    nerede neresi niçin niye nın nin o olan olarak oldu olsun olur on ona onu öner önerir önerirsiniz peki
    rutin rutini selam sen siz sizde sizin sonra süre sürede şey şu tane teşekkürler tip tipi tipine tüm tür türü ürün ürünü ürünler ürünün üzere
    üzerine var ve veya vardır ya yani yok yoksa zaman bilgi verir istiyorum isterim gerek gerekir
    lâzım olmalı bahseder söyler anlatır`),
  ),
}

/** Words that refer to the product the visitor is looking at. */
const pointers = new Set(list('it its this bu bunu bunun buna bunda ürünü ürünün'))

/** Concepts common to all kinds of shops. */
const general = [
  'use used using apply application kullanım kullanılır kullan uygulama uygulanır uygula sür',
  'suitable suit suits fit uygun uygunluk yarar',
  'contain contains include includes içeriyor içerir içeren',
  'stock available availability stok stokta stokları mevcut',
  'buy purchase order satın alabilirim sipariş',
  'ingredient ingredients composition içindekiler içerik içeriği içerikler',
  'store stored storage keep saklama saklanır saklayın sakla',
  'origin menşei menşe üretim üretilir',
  'gift present hediye hediyelik',
  'set kit seti kutu',
  'child children kid kids çocuk çocuğum çocuklar bebek baby',
  'natural organic doğal organik',
  'new yeni',
  'water su suya',
  'resistant waterproof dayanıklı',
  'week weekly haftada hafta',
  'morning sabah',
  'evening night akşam gece',
  'plastic plastik plastiksiz',
  'travel journey yolculuk seyahat',
]

const bySector: Record<Sector, readonly string[]> = {
  GENERAL: [],
  BEAUTY: [
    'skin complexion cilt ten',
    'sensitive hassas',
    'dry drying kuru',
    'oily greasy grease yağlı yağlanan',
    'oil oils yağ yağı',
    'perfume fragrance scent parfüm koku parfümsüz',
    'vegan',
    'sun sunscreen spf güneş',
    'moisturiser moisturizer moisturising hydrating hydration nemlendirici nemlendirir nem',
    'cleanser cleansing wash temizleme temizleyici temizlik',
    'toner tonic tonik toniği',
    'serum serumu',
    'mask maske maskesi',
    'cream krem kremi',
    'soap sabun sabunu',
    'shampoo şampuan şampuanı',
    'lotion losyon losyonu',
    'scrub peeling exfoliator',
    'lipstick ruj',
    'mascara maskara',
    'foundation fondöten',
    'powder pudra',
    'blush allık',
    'balm lip lips dudak dudaklar',
    'hand hands el eller ellerim',
    'hair saç saçlar saçlarım',
    'scalp derisi',
    'eye eyes göz gözler gözleri',
    'pore pores gözenek gözenekleri',
    'shine shiny parlama parlaklık',
    'glow radiance dull ışıltı mat',
    'frizz frizzy elektriklenme',
    'rose roses gül gülü',
    'lavender lavanta lavantalı',
    'olive zeytin zeytinyağı zeytinyağlı',
    'laurel bay defne defneli',
    'pomegranate nar',
    'niacinamide niasinamid',
    'vitamin vitamini',
    'caffeine kafein kafeinli',
    'hyaluronic hyalüronik hyaluronate',
    'makeup makyaj',
    'pregnancy pregnant hamile hamilelik hamilelikte',
    'chapped cracked çatlayan çatlak çatlıyor',
  ],
  TEXTILE: [
    'fabric cloth material kumaş',
    'cotton pamuk pamuklu',
    'wool woollen yün yünlü',
    'linen keten',
    'silk ipek',
    'wash washing yıkama yıkanır yıka',
    'iron ironing ütü ütülenir',
    'bleach ağartıcı çamaşır',
    'size sizes beden bedeni',
    'colour color renk rengi',
    'fit tailored kalıp kesim',
    'care bakım',
    'shirt gömlek',
    'trousers pants pantolon',
    'dress elbise',
    'towel havlu havlusu',
    'sheet sheets çarşaf nevresim',
    'stretch elastane esnek likra',
  ],
}

/**
 * Concepts in nearly every question or product: they matter on their own, but weigh little next to
 * others.
 */
const lightIdeas: Record<string, number> = { use: 0.25, skin: 0.25, suitable: 0.1, contain: 0.1 }

/** One topic of a text. */
export interface Topic {
  /** The concept, or the word itself. */
  key: string
  /** Synonyms, folded and equivalent. */
  words: readonly string[]
  weight: number
}

const ideas = new Map<Sector, string[][]>()

function ideasOf(sector: Sector): string[][] {
  const sectorIdeas = ideas.get(sector) ?? [...general, ...bySector[sector]].map(list)
  ideas.set(sector, sectorIdeas)
  return sectorIdeas
}

const maxTopics = 8
/** Longer strings are not catalogue words and exceed what the index looks up. */
const maxLetters = 60

/** The distinct topics of a text, in order, up to the search limit. */
export function topicsOf(text: string, sector: Sector): Topic[] {
  const topics = new Map<string, Topic>()
  for (const word of wordsOf(text)) {
    if (isFiller(word) || word.length > maxLetters) continue
    const idea = ideasOf(sector).find((words) => words.some((synonym) => sameWord(synonym, word)))
    if (!idea && word.length < 3 && !/\p{N}/u.test(word)) continue
    const key = idea?.[0] ?? [...topics.keys()].find((topic) => sameWord(topic, word)) ?? word
    if (topics.has(key) || topics.size === maxTopics) continue
    const words = idea ? [...new Set([...idea, word])] : [word]
    topics.set(key, { key, words, weight: lightIdeas[key] ?? 1 })
  }
  return [...topics.values()]
}

function isFiller(word: string): boolean {
  return languages.some((language) => fillers[language].has(word))
}

/** Whether a question refers only to the product the visitor is looking at. */
export function pointsAtProduct(text: string): boolean {
  return wordsOf(text).some((word) => pointers.has(word))
}

/** Words and letters of other languages that share some of the Turkish letters. */
const foreign =
  /\b(?:der|das|ist|und|für|mit|eine|nicht|les|est|une|pour|avec|dans)\b|[äßéèêàœæøåñ]/i

/** Letters that are unique among our languages. */
const letters: Record<Language, RegExp | undefined> = { en: undefined, tr: /[çğışöüÇĞİŞÖÜ]/g }

/** Best guess of a text's language, by letters and stop words. */
export function languageOf(text: string): Language | undefined {
  const words = wordsOf(text)
  const isForeign = foreign.test(text)
  const signsOf = (language: Language) => {
    const own = isForeign ? undefined : letters[language]
    const small = words.filter((word) => fillers[language].has(word)).length
    return small + (own ? (text.match(own)?.length ?? 0) : 0)
  }
  const ranked = languages
    .map((language) => ({ language, signs: signsOf(language) }))
    .sort((a, b) => b.signs - a.signs)
  return ranked[0]?.signs === ranked[1]?.signs ? undefined : ranked[0]?.language
}
