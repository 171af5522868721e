import type { RoutineWords } from '../../pack.ts'

export const routines: RoutineWords = {
  stages: {
    BEAUTY: {
      cleanse: {
        names: 'temizle, sabun, sampuan, dus jeli, peeling',
        search: 'temizleme sabun şampuan',
      },
      tone: { names: 'tonik, tonig', search: 'tonik' },
      treat: { names: 'serum, mask(?!ara), ampul', search: 'maske' },
      moisturise: { names: 'krem, nemlendir, losyon, balmumu, jel, yag', search: 'krem losyon' },
      protect: { names: 'spf, gunes (?:kremi|sprey|koru|sutu|losyonu)', search: 'spf' },
      finish: { names: 'ruj, maskara, pudra, allik, fondoten', search: 'makyaj' },
    },
    TEXTILE: {
      base: { names: 'ic giyim, atlet, corap, carsaf', search: 'çarşaf' },
      wear: { names: 'gomlek, pantolon, elbise, etek, kazak', search: 'pantolon elbise' },
      layer: { names: 'ceket, mont, kaban, hirka, battaniye', search: 'ceket mont' },
      care: { names: 'deterjan, bakim, firca', search: 'bakım' },
    },
    GENERAL: {
      prepare: { names: 'temizle, yika, hazirl, astar', search: 'temizleme hazırlık' },
      care: { names: 'bakim, cila, yag', search: 'bakım' },
      protect: { names: 'koru, kilif, saklama', search: 'koruma kılıf' },
    },
  },
  afterSun: 'gunes sonrasi',
  areas: {
    hair: 'sac, saclar*, saci*, sampuan*',
    hand: 'el, eller*, tirnak*',
    lip: 'dudak*, dudag*, ruj*',
    body: 'vucut*, vucud*, dus, sabunu?',
  },
  sets: 'set, seti, kutusu',
  requests: `rutin düzen bakım bakımı adım adımlı adımda alerjim alerjisi çıkar unuttum söylemeyi söyledim tek
    kısa sabah akşam gece gündüz günlük marka markası olmasın istemiyorum hariç içermesin hamileyim emziriyorum
    stokta olan olsun öneri önerisi önerin seçtiğim`,
  usage: 'kullanım kullanımı uygulama',
}
