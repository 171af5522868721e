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
const pointers: Record<Language, readonly string[]> = {
  en: list('it its this'),
  tr: list('bu bunu bunun buna bunda ürünü ürünün'),
}

/** The words of one concept; the first of the default language is its key. */
type Idea = Readonly<Record<Language, string>>

/** Concepts common to all kinds of shops. */
const general: readonly Idea[] = [
  {
    en: 'use used using apply application',
    tr: 'kullanım kullanılır kullan uygulama uygulanır uygula sür',
  },
  { en: 'suitable suit suits fit', tr: 'uygun uygunluk yarar' },
  { en: 'contain contains include includes', tr: 'içeriyor içerir içeren' },
  { en: 'stock available availability', tr: 'stok stokta stokları mevcut' },
  { en: 'buy purchase order', tr: 'satın alabilirim sipariş' },
  { en: 'ingredient ingredients composition', tr: 'içindekiler içerik içeriği içerikler' },
  { en: 'store stored storage keep', tr: 'saklama saklanır saklayın sakla' },
  { en: 'origin', tr: 'menşei menşe üretim üretilir' },
  { en: 'gift present', tr: 'hediye hediyelik' },
  { en: 'set kit', tr: 'seti kutu' },
  { en: 'child children kid kids baby', tr: 'çocuk çocuğum çocuklar bebek' },
  { en: 'natural organic', tr: 'doğal organik' },
  { en: 'new', tr: 'yeni' },
  { en: 'water', tr: 'su suya' },
  { en: 'resistant waterproof', tr: 'dayanıklı' },
  { en: 'week weekly', tr: 'haftada hafta' },
  { en: 'morning', tr: 'sabah' },
  { en: 'evening night', tr: 'akşam gece' },
  { en: 'plastic', tr: 'plastik plastiksiz' },
  { en: 'travel journey', tr: 'yolculuk seyahat' },
]

const bySector: Record<Sector, readonly Idea[]> = {
  GENERAL: [],
  BEAUTY: [
    { en: 'skin complexion', tr: 'cilt ten' },
    { en: 'sensitive', tr: 'hassas' },
    { en: 'dry drying', tr: 'kuru' },
    { en: 'oily greasy grease', tr: 'yağlı yağlanan' },
    { en: 'oil oils', tr: 'yağ yağı' },
    { en: 'perfume fragrance scent', tr: 'parfüm koku parfümsüz' },
    { en: 'vegan', tr: 'vegan' },
    { en: 'sun sunscreen spf', tr: 'güneş' },
    {
      en: 'moisturiser moisturizer moisturising hydrating hydration',
      tr: 'nemlendirici nemlendirir nem',
    },
    { en: 'cleanser cleansing wash', tr: 'temizleme temizleyici temizlik' },
    { en: 'toner tonic', tr: 'tonik toniği' },
    { en: 'serum', tr: 'serumu' },
    { en: 'mask', tr: 'maske maskesi' },
    { en: 'cream', tr: 'krem kremi' },
    { en: 'soap', tr: 'sabun sabunu' },
    { en: 'shampoo', tr: 'şampuan şampuanı' },
    { en: 'lotion', tr: 'losyon losyonu' },
    { en: 'scrub exfoliator', tr: 'peeling' },
    { en: 'lipstick', tr: 'ruj' },
    { en: 'mascara', tr: 'maskara' },
    { en: 'foundation', tr: 'fondöten' },
    { en: 'powder', tr: 'pudra' },
    { en: 'blush', tr: 'allık' },
    { en: 'balm lip lips', tr: 'dudak dudaklar' },
    { en: 'hand hands', tr: 'el eller ellerim' },
    { en: 'hair', tr: 'saç saçlar saçlarım' },
    { en: 'scalp', tr: 'derisi' },
    { en: 'eye eyes', tr: 'göz gözler gözleri' },
    { en: 'pore pores', tr: 'gözenek gözenekleri' },
    { en: 'shine shiny', tr: 'parlama parlaklık' },
    { en: 'glow radiance dull', tr: 'ışıltı mat' },
    { en: 'frizz frizzy', tr: 'elektriklenme' },
    { en: 'rose roses', tr: 'gül gülü' },
    { en: 'lavender', tr: 'lavanta lavantalı' },
    { en: 'olive', tr: 'zeytin zeytinyağı zeytinyağlı' },
    { en: 'laurel bay', tr: 'defne defneli' },
    { en: 'pomegranate', tr: 'nar' },
    { en: 'niacinamide', tr: 'niasinamid' },
    { en: 'vitamin', tr: 'vitamini' },
    { en: 'caffeine', tr: 'kafein kafeinli' },
    { en: 'hyaluronic hyaluronate', tr: 'hyalüronik' },
    { en: 'makeup', tr: 'makyaj' },
    { en: 'pregnancy pregnant', tr: 'hamile hamilelik hamilelikte' },
    { en: 'chapped cracked', tr: 'çatlayan çatlak çatlıyor' },
  ],
  TEXTILE: [
    { en: 'fabric cloth material', tr: 'kumaş' },
    { en: 'cotton', tr: 'pamuk pamuklu' },
    { en: 'wool woollen', tr: 'yün yünlü' },
    { en: 'linen', tr: 'keten' },
    { en: 'silk', tr: 'ipek' },
    { en: 'wash washing', tr: 'yıkama yıkanır yıka' },
    { en: 'iron ironing', tr: 'ütü ütülenir' },
    { en: 'bleach', tr: 'ağartıcı çamaşır' },
    { en: 'size sizes', tr: 'beden bedeni' },
    { en: 'colour color', tr: 'renk rengi' },
    { en: 'fit tailored', tr: 'kalıp kesim' },
    { en: 'care', tr: 'bakım' },
    { en: 'shirt', tr: 'gömlek' },
    { en: 'trousers pants', tr: 'pantolon' },
    { en: 'dress', tr: 'elbise' },
    { en: 'towel', tr: 'havlu havlusu' },
    { en: 'sheet sheets', tr: 'çarşaf nevresim' },
    { en: 'stretch elastane', tr: 'esnek likra' },
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
  const sectorIdeas =
    ideas.get(sector) ??
    [...general, ...bySector[sector]].map((idea) =>
      languages.flatMap((language) => list(idea[language])),
    )
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
  const words = wordsOf(text)
  return languages.some((language) => pointers[language].some((word) => words.includes(word)))
}

/** Signs of languages that are not ours but share letters with them. */
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
