import type { DemandWords } from '../../pack.ts'

export const demands: DemandWords = {
  clauseEnds: 'ama, fakat, lutfen, ancak',
  left: {
    words: `olmasin*, istemiyor*, istemem, istemiyoruz, haric, disinda, olmadan, olmaksizin, icermesin*,
      icermeyen*, kullanam*, kullanmiyor*, kullanmak istem*, sevm*, cikar*, kaldir*, ekleme*, koyma*, cikart*,
      sil, olmayan*, bulunmasin*, yiyem*, tuketem*, katma*, yerine`,
    joins: 've, veya, ile',
  },
  forBaby: [/\b(?:bebe|yenidogan|yeni dogan)\w* icin\b/, /\b(?:bebege|bebegime|bebegimin)\b/],
  only: 'sadece, yalniz, yalnizca, sirf, hepsi',
  allergy: 'alerji*, intolerans*, dokunuyor, hassasiyetim',
  around:
    'marka*, urun*, icer*, olan, var, ben*, bana, ve, veya, ile, hic, hicbir, bir, bu, de, da, cok',
  not: 'degil',
  inStockOnly: [
    /\bstokta (?:olan|bulunan|olsun|olmasi|ne)/,
    /\bmevcut olan/,
    /\bhemen (?:alabil|gonder)/,
    /\bstoktaki/,
  ],
  onlySelected: [
    /\bbaska (?:bir )?(?:urun|sey)\w* (?:ekleme|koyma|istem|olmasin)/,
    /\b(?:sadece|yalnizca|yalniz) (?:bun|sectik|elimdeki)/,
  ],
  celiac: 'colyak*',
  privative: { suffix: 's[iu]z', ending: 's[iu]z' },
  morning: 'sabah*, gunduz*',
  evening: 'aksam*, gece*',
  steps: {
    or: 'ya da, veya',
    simple: 'kolay',
    nouns: 'adim*, urun(?:luk|den|le|lu)?, parca*, basamak*',
  },
}
