import type { RoutineWords } from '../../pack.ts'

export const routines: RoutineWords = {
  stages: {
    BEAUTY: {
      cleanse: {
        names: 'cleans, wash, soap, shampoo, shower, peeling, scrub',
        search: 'cleanser wash',
      },
      tone: { names: 'toner, tonic', search: 'toner' },
      treat: { names: 'serum, mask(?!ara), treatment, ampoule, essence', search: 'serum' },
      moisturise: {
        names: 'cream, moistur, lotion, balm, gel\\b, oil\\b',
        search: 'moisturiser gel',
      },
      protect: {
        names: 'spf, sunscreen, sun (?:cream|care|protection)',
        search: 'sunscreen spf',
      },
      finish: { names: 'lipstick, mascara, powder, blush, foundation', search: 'makeup' },
    },
    TEXTILE: {
      base: { names: 'underwear, undershirt, sock, fitted sheet', search: 'underwear' },
      wear: { names: 'shirt, trouser, pants, dress, skirt, sweater', search: 'shirt' },
      layer: { names: 'jacket, coat, cardigan, blanket', search: 'jacket' },
      care: { names: 'detergent, care, brush', search: 'care' },
    },
    GENERAL: {
      prepare: { names: 'clean, wash, prepar, primer', search: 'clean' },
      care: { names: 'care, polish, oil\\b, conditioner', search: 'care' },
      protect: { names: 'protect, cover, storage, seal', search: 'protect' },
    },
  },
  afterSun: 'after[ -]?sun',
  areas: {
    hair: 'hair, scalp, shampoo, conditioner',
    hand: 'hands?, nails?',
    lip: 'lips?, lipsticks?',
    body: 'body, shower, deodorants?, roll-on',
  },
  sets: 'set, kit, box',
  requests: `routine plan program care step steps build together give something allergic remove forgot start
    nothing fast simple short morning evening daily breastfeed available include selected experienced`,
  usage: 'use usage directions apply',
}
