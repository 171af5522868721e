import type { CertaintyWords } from '../../pack.ts'

/* A clause must be read in one way only, as in English. */

const item = String.raw`(?!(?:ve|veya|ya da|ne de)(?: |$))\w+`
/** Further things of a list after what is asked about: "latex#, nikel ve parfüm içermez". */
const listed = String.raw`(?:(?: ,| ve| veya| ya da| ne de)+ ${item}#?(?: ${item}){0,2}?)*`
/** Words that change nothing, and endings after an apostrophe. */
const idle = String.raw`(?: (?:de|da|i|u|si|kesinlikle|asla|hic|rahatlikla|guvenle|ayrica|kutuya|kutuda|fiyata|sete|pakete|urune))*`
/** The verb ends the clause. */
const end = String.raw`(?=$| ,)`
/** Where a clause about the product begins. */
const start = String.raw`(?:^|, )(?:(?:bu|urun|yuzde|100|tamamen|tumuyle|formulu|hem|kesinlikle|asla|hic) )*`

/** Before what a product does: what is asked about, words that change nothing, and one that "and" joins to them. */
function before(idleWords: string): string {
  const joined = String.raw`(?!(?:${idleWords}|ve|veya) )\w+ `
  const and = '(?:ve|veya) '
  return String.raw`(?:(?:\w+#|${idleWords}) |${and}${joined}|${and}(?!${joined})|${joined}${and})*`
}

const pattern = (source: string) => new RegExp(source)

export const certainty: CertaintyWords = {
  asks: {
    having: [
      /\bvar ?mi(?:dir)?$/,
      /\bdahil mi(?:dir)?$/,
      /\buzerinden baglan\w+ m[iu]$/,
      /\b(?:iceriyor|icerir|bulunuyor|bulunur|cikiyor|geliyor|veriliyor) m[iu]$/,
    ],
    suiting: [
      /\buygun m[iu](?:dur)?$/,
      /(?:\b(?:kullans\w+|icin)|\w{3}[dt][ae]|\w{3}l[ae]) ?olur mu$/,
      /\bile calisir mi$/,
      /\bkullan(?:ilir|abilir|ilabilir|iliyor) m[iu]\w*$/,
      /\bicin m[iu]$/,
      /\b(?:gir(?:er|ebilir)|kon(?:ur|ulur|abilir)|koyabilir|atil(?:ir|abilir)) m[iu]\w*$/,
      /\buyumlu m[iu]$/,
    ],
    being: [/^(?:\w+ ){0,3}\w+ m[iu](?:dir|dur)?$/],
    doing: [/\w(?:r|yor) m[iu]\w*$/],
  },
  idle: 'acaba, peki, bunun, bu, icinde, icerisinde, ya, lutfen, merhaba, merhabalar, selam, hani',
  asksLacking: [/\b\w+s[iu]z m[iu]\w*$/],
  asksContent: [/\b\w{3,}l[iu] m[iu](?:d[iu]r)?$/],
  unclear: [
    /\bdegil m[iu]\b/,
    /\w(?:m[ae]z|m[iu]yor) m[iu]\b/,
    /\b(?:yoksa|veya|ya da)\b/,
    /\bsadece\b/,
  ],
  no: {
    having: [
      pattern(
        `#${listed}${idle} (?:icermez|icermiyor|icermemektedir|yok|yoktur|bulunmaz|bulunmuyor|bulunmamaktadir|katilmadi|katilmamistir|kullanilmamistir|eklenmemistir|barindirmaz|dahil degil\\w*)${end}`,
      ),
      /s[iu]z(?:d[iu]r)?#/,
      /# (?:ayrica|ayri|ayri olarak) sat\w+/,
      /^\w+# : (?:yok|hayir|icermez)$/,
    ],
    suiting: [
      pattern(
        `#${listed}(?: icin| ile| uzerinde)?${idle} (?:uygun degil\\w*|kullanilma(?:z|malidir)|kullanma(?:yin|yiniz)|onerilmez|onermiyoruz|onermeyiz|tavsiye (?:edilmez|etmiyoruz|etmeyiz)|verilmez|vermeyin|girmez|konmaz|konulmaz|koymayin|atilmaz|atmayin|yikanmaz|yikanamaz|yikamayin|yikamayiniz)${end}`,
      ),
    ],
    being: [pattern(`# (?:degil|degildir)${end}`)],
    doing: [
      pattern(
        String.raw`${start}${before('bu|urun|su|kesinlikle|asla|hic')}\w+(?:maz|mez|mazlar|mezler|mayin|meyin|mayiniz|meyiniz|miyor|muyor)#${end}`,
      ),
    ],
  },
  yes: {
    having: [
      pattern(
        `#${listed}${idle} (?:icerir|iceriyor|icermektedir|var|vardir|bulunur|bulunuyor|bulunmaktadir|dahil|dahildir|cikar|cikiyor|gelir|geliyor|verilir)${end}`,
      ),
      pattern(`l[iu](?:d[iu]r)?#${end}`),
      // By what a product is connected or charged it has.
      pattern(
        `(?:bluetooth|wifi|usb|nfc)#(?: c)?(?: ile| uzerinden)? (?:baglanir|baglanabilir|sarj (?:olur|edilir|edilebilir))${end}`,
      ),
      /^(?:icindekiler|icerik) : .*#/,
      /^\w+# : (?:var|evet)$/,
    ],
    suiting: [
      pattern(
        `#${listed}(?: icin| ile| uzerinde)?${idle} (?:uygun|uygundur|kullanilir|kullanilabilir|kullanabilirsiniz|onerilir|idealdir|guvenlidir|uyumludur|uyumlu|calisir|girer|girebilir|konabilir|konulabilir|yikanir|yikanabilir|yikayabilirsiniz)${end}`,
      ),
      pattern(`#${listed} icindir${end}`),
      // What is true of every one with it is true of it: "indüksiyon dahil her ocakta kullanılır".
      pattern(
        String.raw`^\w+# dahil (?:her|tum|butun) \w+(?: icin| ile| uzerinde)? (?:uygun|uygundur|kullanilir|kullanilabilir|calisir|uyumludur)${end}`,
      ),
    ],
    being: [pattern(String.raw`${start}(?:\w+# )*\w+#${end}`)],
    doing: [
      pattern(
        String.raw`${start}${before('bu|urun|rahatlikla|kolayca')}\w+(?:[aiu]r|er|yor|bilir|bilirsiniz)#${end}`,
      ),
    ],
  },
  negative: [
    /\b(?:yok\w*|degil\w*|hayir)\b/,
    /\b\w{2,}(?:m[ae]z\w*|m[ae]d[iu]\w*|m[ae]d[ae]n|m[ae]y[ae]n\w*|m[iu]yor\w*|m[ae]y[iu]n\w*|m[ae]m[ae]\w*|m[ae]m[iu]s\w*)\b/,
    /\b\w{3,}s[iu]z(?:d[iu]r)?\b/,
  ],
  limits: `sadece, yalniz, yalnizca, haric, disinda, eger, ancak, ama, fakat, bazi, cogu, kismen, genellikle, bazen,
    alti*, ust*, uzerinde, uzeri, kadar, once, sonra, surece, durumunda, halinde, takdirde, ise, neredeyse, pek, karsi, onle*, engelle*, koru*, dayan*, direnc*, azalt*, uzak*, yerine, gerek*,
    lazim, ilk, tekrar, benzer, baska, diger, eser`,
  degrees: 'cok, asiri, fazla, hafif, biraz',
  otherSubject: [
    /(?:^|, )(?:kutusu|kapagi|ambalaji|sisesi|kavanozu|kilifi|sapi|disi|alti|astari|tupu|pompasi|etiketi|paketi|govdesi|tabani) /,
  ],
  contrasts: 'ama, fakat, ancak, oysa, lakin',
}
