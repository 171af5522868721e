import type { FaceWords } from '../../pack.ts'

export const faces: FaceWords = {
  concerns: {
    redness: {
      search: 'redness sensitive',
      about: 'redness, reddened, red skin, sensitive skin',
      helps: 'sooth, calm, reliev, reduc, eas, comfort, gentl',
      tags: 'redness, sensitive',
    },
    unevenness: {
      search: 'uneven tone spots',
      about: 'uneven, skin tone, complexion, dark spots?, pigment',
      helps: 'even, bright, reduc, unif, fade',
      tags: 'uneven, spots?, tone',
    },
    dryness: {
      search: 'dry dryness moisturising',
      about: 'dry skin, dryness',
      helps: 'moistur, hydrat, nourish, care',
      tags: 'dry\\b',
    },
    shine: {
      search: 'oily shine sebum',
      about: 'shine, shiny, oily skin, sebum',
      helps: 'mattif, control, balanc, reduc, absorb',
      tags: 'oily\\b',
    },
    dullness: {
      search: 'dull radiance glow',
      about: 'dull, radian, glow',
      helps: 'bright, glow, radian, restor, reviv',
      tags: 'radiance, glow',
    },
  },
  warning: [
    /\b(?:may|can|could) cause/,
    /\bif\b/,
    /irritat|discontinue|stop using|avoid|\bnot\b|n't\b|without|except|allerg/,
  ],
  elsewhere: 'hair, scalp, shampoo, conditioner, nails?, hands?, feet, foot, body, lips?',
}
