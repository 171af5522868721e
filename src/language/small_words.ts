import { isEndingChain } from './word_forms.ts'
import { wordsOf } from './words.ts'
import { type Language, languages } from '../texts/languages.ts'

/** Words that carry no topic, by the language they indicate. */
const fillers: Record<Language, ReadonlySet<string>> = {
  en: new Set(
    wordsOf(`a about actually after all also am an and another any anyone anything anyway are as at be because been being but by can cannot
    cant come comes could d did do does doesn doing don down each either else ever every everything exactly feel find for from get give go going
    gonna good got great guess had has have having he hello help helps helpful her here hey hi hope how i idea if im in instead into is isn it its
    just kind know let like little ll look looking lot m make many may maybe me mean might more most much must my near need never nice no
    not now of off offer ok okay on one only or other others our out over own perhaps planning please product products
    question quite rather re really real recommend routine s same say see seem sell she should show so some someone something soon sort still
    stuff such suggest sure t take tell than thank thanks that thats the their them then there these they thing things think this
    those though thought through time times to too try trying type under until up upon us usual usually ve very want wanted was way we
    well were what whats when where whether which while who whom whose why will wish with without won wonder wondering work works worth would
    yes yet you your yours anybody problem issue cope possible bad ahead back between bit both care around making put puts together during some against enough`),
  ),
  tr: new Set(
    wordsOf(`acaba ama ancak artık aslında ayrıca bana bazı belki ben benim beni bence benimki bile bir biri birisi biraz biz bize bizim böyle bu buna bunda bundan bunlar
    bunu bunun burada cevap çok çünkü da daha de defa değil derece dı diğer diye dolayı durum durumu durumda edebilir eder ederim edin ediyor en etmek eğer evet falan fakat filan
    gelir geliyor gerçekten gerek gerekir gerekiyor gerekli gibi göre hakkında halde hangi hangisi hani hatta hayır hazırla hazırlar hele
    hem hep hepsi her herhangi herkes hiç için içinde içinden ile ilgili ise istiyorum isterim iyi iyi kaç kadar kere kez ki kim kolay kolaygelsin lazım lütfen merhaba merhabalar mesela mi
    mı mu mü mıdır midir mıyım miyim muyum müyüm musun mısın misin musunuz mısınız misiniz müsünüz mümkün nasıl ne neden nedir nelerdir neler
    nerede nereden neresi nereye niçin niye nın nin o olan olabilir olarak oldu olduğu olması olmaz olsun olur olsa olmalı ona onlar onu onun önce öner önerir önerirsiniz öğrenmek öyle pek peki
    rutin rutini sadece sana sanki selam sen senin siz size sizde sizden sizin söyle söyler sonra sorum soru sorun sorun sürede şey şeyi şu şunu tabii tam tane tavsiye teşekkürler tip tipi tipine tüm tür türü ürün ürünü ürünler ürünün ürünleri üzere
    üzerine var varmı vardır ve veya verir ya yahut yani yap yapar yapabilir yapılır yapılmış yapmak yerine yine yok yoksa zaman bilgi bahseder anlatır anlat eder etsem etsek
    alabilir alayım almalıyım istesem düşünüyorum merak ediyorum benimkisi yazık bi mesela oluyor olmuyor kendim kendi şuan an kullanabilir`),
  ),
}

/** Whether a word carries no topic in a text of this language, or in any if it is not known. */
export function isFiller(word: string, language: Language | undefined): boolean {
  const possible = language ? [language] : languages
  return (
    possible.some((each) => fillers[each].has(word)) || (language === 'tr' && isLightVerb(word))
  )
}

/** Forms of the verbs that Turkish puts after nouns: do, be, want, know. */
function isLightVerb(word: string): boolean {
  const [, , rest] =
    /^(ed(?=[ei])|et(?=m[ei]|ti|se)|ol(?=[ua]|m[au]|du|sa)|yap(?=a|i(?!s)|m|t)|iste|bil(?=i|me|e[bn]))(.*)$/.exec(
      word,
    ) ?? []
  return rest !== undefined && isEndingChain(rest)
}

/** Signs of languages that are not ours but share letters with them. */
const foreign =
  /\b(?:der|das|ist|und|für|mit|eine|nicht|les|est|une|pour|avec|dans)\b|[äßéèêàœæøåñ]/i

/** Letters that are unique among our languages. */
const letters: Record<Language, RegExp | undefined> = { en: undefined, tr: /[çğışöüÇĞİŞÖÜ]/g }

/** Endings that only words of one of our languages have, for text without marks. */
const endings: Record<Language, RegExp | undefined> = {
  en: /\b\w{3,}(?:ing|ness|ful|able|tion)\b/gi,
  tr: /\b\w{2,}(?:iyor|uyor|lar|ler|lari|leri|mez|maz|abilir|ebilir|malı|meli|mali|siz|suz|dir|dır|miyim|inca|ince|ligi|lugu)\b/gi,
}

/** Best guess of a text's language, by letters, stop words and endings. */
export function languageOf(text: string): Language | undefined {
  const words = wordsOf(text)
  const isForeign = foreign.test(text)
  const signsOf = (language: Language) => {
    const own = isForeign ? undefined : letters[language]
    const small = words.filter((word) => fillers[language].has(word)).length
    const ends = isForeign ? 0 : (text.match(endings[language] ?? /(?!)/)?.length ?? 0)
    return small + (own ? (text.match(own)?.length ?? 0) : 0) + ends
  }
  const ranked = languages
    .map((language) => ({ language, signs: signsOf(language) }))
    .sort((a, b) => b.signs - a.signs)
  return ranked[0]?.signs === ranked[1]?.signs ? undefined : ranked[0]?.language
}
