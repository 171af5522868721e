import type { PlantedWords, ProductWords } from '../../pack.ts'

export const products: ProductWords = {
  negative: [
    /\b(?:yok\w*|degil\w*)\b/,
    /\b\w{2,}(?:maz|mez|mazlar|mezler|madi|medi|madan|meden|mayan|meyen|miyor\w*|muyor\w*)\b/,
  ],
  warning: `\\w+(?:mayin|meyin|mayiniz|meyiniz|mamali*|memeli*|miyoruz|muyoruz), uygun degil*, onerilme*, onermi*,
    tavsiye etm*, verilme*, kullanilma*, sakin*, kacin*, zararli, akitabilir,
    (?:tahris|pullan|kuru|tika|sold|leke|alerji|soyul|agir|zarar|kasin|sivilce|kizar|dokul)* *(?:abilir|ebilir),
    (?:kurut|tika|soldur|yak|bat|kizart|lekele|kasindir|dokun|tahris et)*(?:abilir|ebilir)`,
  supervision: `yalniz birak*, tek basina birak*, gozetim*, basindan ayril*, erisemeyecegi, ulasamayacagi,
    uzak tut*`,
  contrasts: 'ama, fakat',
  morning: 'sabah*, gunduz*, gunes (?:krem|koruyucu|fluid|sprey|losyon|sut)*',
  evening: 'aksam*, gece*',
  // "Too heavy for the day."
  notByDay: [/\bgunduz icin agir/],
}

export const planted: PlantedWords = {
  offers: 'indirim, kupon, promosyon',
  code: 'kodu?',
  money: [/\bhavale/, /\biban\b/, /\bodeme(?:yi|ler|ni)? /, /\bbitcoin/, /\bwhatsapp/],
  system: 'sistem',
  prompt: 'mesaj, talimat',
  commands: [
    /\b(?:asistan|chatbot|yapay zeka|bot)\b ?[:,]/,
    /\b(?:musteri|ziyaretci|kullanici)\w* .{0,30}\b(?:soyle|yaz|bildir)\w*/,
    /\b(?:kural|talimat)\w* .{0,20}\b(?:yok say|unut|gormezden|uyma)/,
    /\b(?:cevap|yanit) ver\b/,
    /\bher soruya\b/,
  ],
  dot: 'nokta',
  at: 'et, kuyruklu',
}
