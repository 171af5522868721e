import type { NumberWords, QuantityWords } from '../../number_words.ts'

export const numbers: NumberWords = {
  // Not "on", ten, which English has as another word.
  numerals: 'bir, iki, uc, dort, bes, alti, yedi, sekiz, dokuz',
  values: { bir: 1, tek: 1, iki: 2, uc: 3, dort: 4, bes: 5, alti: 6, yedi: 7 },
  measures: `bir, iki, uc, dort, bes, alti, yedi, sekiz, dokuz, on, yirmi, otuz, kirk, elli, altmis, yetmis,
    seksen, doksan, yuz, bin, yarim, bucuk, ceyrek, birkac, cift, duzine, tek`,
  endings: '[dt][iu]r, [dt][ae]',
}

export const quantities: QuantityWords = {
  time: 'saniye, dakika, saat, gun, hafta, ay, yil, sene',
  units: {
    weight: 'gram, kilo, ton',
    length: 'metre, inc, santim, (?:santi|mili)metre',
    volume: 'litre',
    power: 'watt',
    voltage: 'volt',
    sound: 'desibel',
    temperature: 'derece, celsius',
    people: 'kisi, porsiyon, sandalye',
    brightness: 'lumen, candela',
  },
  unitEndings: {
    duration: 'lik, luk, da, de, ta, te, dan, den, tan, ten, a, e, i, ligina, ya, lar, ler, sinda',
    weight: 'dir, lik, luk, dur, i, ini, a, ya, da',
    length: "dir, '?lik, e, yi, den",
    volume: 'lik, dir',
  },
  said: {
    duration: [/\bomur boyu/, /\bgece boyu/, /\bgun boyu/, /\bsaatlerce/],
    frequency: [
      /\b(?:gunde|haftada|ayda|yilda) (?:en fazla |en cok )?<number>/,
      /<time>(?:da|de|ta|te) bir\b/,
      /\bher (?:gun|sabah|aksam|gece|hafta|ay|yikama)/,
      /\bsabah (?:ve )?aksam/,
      /\bgunluk\b/,
      /\bhaftalik\b/,
    ],
    share: [/\b(?:yuzde|binde) ?<number>/],
    energy: [/\bkalori/],
    age: [/<number>[ -]yas(?:inda|indan|lik|ina|tan|a|)\b/, /\byetiskin/, /\byeni ?dogan/],
  },
  asked: {
    age: [/\bkac yas(?!tik)/, /\byas (?:sinir|aralig|grub)/],
    frequency: [
      /\bkac (?:kez|kere|defa)/,
      /\bne siklik/,
      /\bkac \w+(?:da|de|ta|te) bir\b/,
      /\b(?:gunde|haftada|ayda) kac/,
    ],
    duration: [
      /\bkac (?:saat|dakika|gun|ay|yil|hafta|saniye|sene)/,
      /\bne kadar (?:sure|gid|dayan|kal|sur|zaman|calis|taze)/,
      /\bomru\b/,
      /\bne zaman\b/,
    ],
    weight: [/\bagirlig/, /\bagirlik/, /\bkac (?:gram|gr|kilo|kg)\b/],
    length: [
      /\bboyut/,
      /\bolcu/,
      /\bebat/,
      /\bkac (?:cm|santim|metre|mm)/,
      /\bgenisli/,
      /\byuksekli/,
      /\bkalinli/,
      /\bcapi\b/,
      /\bne kadar (?:buyuk|uzun|uza|genis|yuksek|kalin)/,
    ],
    volume: [/\bkac (?:ml|litre|lt|l)\b/, /\bhacmi/, /\bhacim/, /\bkapasite/, /\bkac bardak/],
    power: [/\bwatt/, /\bkac w\b/, /\bne kadar elektrik/, /\bguc tuket/],
    voltage: [/\bvolt/],
    sound: [/\bdesibel/, /\bkac db/],
    temperature: [/\bkac derece/, /\bsicaklig/],
    share: [/\byuzde kac/, /\borani\b/, /\bkonsantrasyon/],
    people: [/\bkac kisi/],
    energy: [/\bkalori/],
    brightness: [/\bkac lumen/, /\bne kadar parlak/],
    pressure: [/\bkac (?:bar|psi)\b/, /\bbasinc/],
    strength: [/\basidi\b/],
    count: [/\bkac\b/],
    amount: [/\bne kadar\b/],
  },
  countAsked: 'kac(?: tane| adet| farkli)?',
  // The thing may come first, "kılıfı kaç tane", but also where it is: "kutuda kaç tane".
  countedBefore: /(\p{L}+)(?<!d[ae]|t[ae]) kac (?:tane|adet)\b/u,
}
