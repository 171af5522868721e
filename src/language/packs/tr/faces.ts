import type { FaceWords } from '../../pack.ts'

export const faces: FaceWords = {
  concerns: {
    redness: {
      search: 'kızarıklık hassas',
      about: 'kizarik, hassas cil',
      helps: 'yatistir, azalt, sakinlestir, rahatlat, nazik',
      tags: 'kizarik, hassas',
    },
    unevenness: {
      search: 'leke cilt tonu',
      about: 'leke, cilt tonu, ton esit, pigment',
      helps: 'esitle, aydinlat, azalt, dengele',
      tags: 'leke',
    },
    dryness: {
      search: 'kuru nemlendirici',
      about: 'kuru cil, kuruluk, kurulug',
      helps: 'nemlendir, besle, bakim',
      tags: 'kuru\\b',
    },
    shine: {
      search: 'yağlı parlama',
      about: 'parlama, yagli cil, sebum',
      helps: 'matlastir, dengele, azalt, kontrol, arindir',
      tags: 'yagli\\b',
    },
    dullness: {
      search: 'ışıltı mat cilt',
      about: 'isilti, mat cil, canlilik',
      helps: 'aydinlat, isilti, canlandir',
      tags: 'isilti',
    },
  },
  warning: [
    /olabilir|yapabilir|olusur|gorulur|kesin|birakin|kullanmayin|uygun degil|danisin|yakmaz|tahris|alerji/,
  ],
  elsewhere: 'sac*, sampuan*, tirnak*, el(?:ler*)?, ayak*, vucut*, dudak*',
}
