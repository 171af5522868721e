import { pageFiles } from '../../adapters/page_files.ts'

/** Our fonts, by the beginning of their files' names. */
const fonts = [
  ['Inter Own', 'inter'],
  ['Playfair Own', 'playfair-display'],
  ['Work Own', 'work-sans'],
] as const

/**
 * The files of a font, by the end of their names, with what they cover. The first two are our own
 * and small; other languages than English and Turkish load the third one, of the font's package.
 */
const parts = [
  [
    'basic',
    'U+20-7E,U+A0-FF,U+131,U+152-153,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+2039-203A,U+20AC,U+2122,U+2191,U+2193,U+2212',
  ],
  ['turkish', 'U+11E-11F,U+130,U+15E-15F,U+20BA'],
  [
    'latin-ext-wght-normal',
    'U+100-11D,U+120-12F,U+132-151,U+154-15D,U+160-2FF,U+304,U+308,U+329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20B9,U+20BB-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  ],
] as const

/** Faces that devices have: of computers and Apple's phones, and of Android's. */
const devices = {
  arial: {
    regular: ['Arial', 'ArialMT', 'Liberation Sans'],
    bold: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold'],
  },
  roboto: { regular: ['Roboto', 'Roboto-Regular'], bold: ['Roboto Bold', 'Roboto-Bold'] },
  times: {
    regular: ['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif'],
    bold: ['Times New Roman Bold', 'TimesNewRomanPS-BoldMT', 'Liberation Serif Bold'],
  },
}

interface StandIn {
  family: string
  device: keyof typeof devices
  /** Of our font relative to the device's, for English and Turkish texts; in percent. */
  width: { regular: number; bold: number }
  /** Of our font relative to its size. */
  ascent: number
  descent: number
}

const inter = { ascent: 0.969, descent: 0.241 }
const workSans = { ascent: 0.93, descent: 0.243 }
const playfair = { ascent: 1.082, descent: 0.251 }

/**
 * Until our font is there, a font of the device stands in for it, drawn as wide: when the two change places, lines
 * break where they did, and nothing moves.
 */
const standIns: StandIn[] = [
  { family: 'Inter Arial', device: 'arial', width: { regular: 106.4, bold: 100.8 }, ...inter },
  { family: 'Inter Roboto', device: 'roboto', width: { regular: 107.5, bold: 107.9 }, ...inter },
  { family: 'Work Arial', device: 'arial', width: { regular: 110.7, bold: 103.3 }, ...workSans },
  { family: 'Work Roboto', device: 'roboto', width: { regular: 111.8, bold: 110.5 }, ...workSans },
  {
    family: 'Playfair Times',
    device: 'times',
    width: { regular: 110.6, bold: 106.4 },
    ...playfair,
  },
]

/** The rules that load our fonts, where the pages are built; else readers see their own. */
export function fontFaces(): string {
  let paths: string[]
  try {
    paths = [...pageFiles().files.keys()]
  } catch {
    return ''
  }
  const rules = fonts.flatMap(([family, file]) =>
    parts.map(([part, range]) => {
      const path = paths.find((each) => each.startsWith(`/assets/${file}-${part}-`))
      if (path === undefined) return ''
      return `@font-face{font-family:'${family}';font-weight:400 750;font-display:swap;src:url(${path}) format('woff2');unicode-range:${range}}`
    }),
  )
  return [...rules, ...faces].join('')
}

const faces = standIns.map((each) => facesOf(each).join(''))

/** The rules of the faces that stand in for the fonts of a theme. */
export function standInFaces(theme: string): string {
  return standIns
    .map(({ family }, index) => (theme.includes(`'${family}'`) ? faces[index] : ''))
    .join('')
}

function facesOf({ family, device, width, ascent, descent }: StandIn): string[] {
  const weights = { regular: '100 559', bold: '560 900' }
  return (['regular', 'bold'] as const).map((kind) => {
    const sources = devices[device][kind].map((name) => `local('${name}')`)
    const percent = (share: number) => `${((share * 10_000) / width[kind]).toFixed(1)}%`
    return `@font-face{font-family:'${family}';font-weight:${weights[kind]};src:${sources.join()};size-adjust:${width[kind]}%;ascent-override:${percent(ascent)};descent-override:${percent(descent)}}`
  })
}
