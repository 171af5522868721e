import { pageFiles } from '../../adapters/page_files.ts'

/** Our fonts, by the beginning of their files' names. */
const fonts = [
  ['Inter Variable', 'inter', '100 900'],
  ['Playfair Display Variable', 'playfair-display', '400 900'],
  ['Work Sans Variable', 'work-sans', '100 900'],
] as const

/** What the two files of a font cover: Turkish has letters of both. */
const ranges = {
  latin:
    'U+0-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+304,U+308,U+329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+100-2BA,U+2BD-2C5,U+2C7-2CC,U+2CE-2D7,U+2DD-2FF,U+304,U+308,U+329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
}

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
  const rules = fonts.flatMap(([family, file, weight]) =>
    Object.entries(ranges).map(([part, range]) => {
      const path = paths.find((each) => each.startsWith(`/assets/${file}-${part}-wght-normal`))
      if (path === undefined) return ''
      return `@font-face{font-family:'${family}';font-weight:${weight};font-display:swap;src:url(${path}) format('woff2');unicode-range:${range}}`
    }),
  )
  return [...rules, ...standIns.flatMap(standInFaces)].join('')
}

function standInFaces({ family, device, width, ascent, descent }: StandIn): string[] {
  const weights = { regular: '100 559', bold: '560 900' }
  return (['regular', 'bold'] as const).map((kind) => {
    const sources = devices[device][kind].map((name) => `local('${name}')`)
    const percent = (share: number) => `${((share * 10_000) / width[kind]).toFixed(1)}%`
    return `@font-face{font-family:'${family}';font-weight:${weights[kind]};src:${sources.join()};size-adjust:${width[kind]}%;ascent-override:${percent(ascent)};descent-override:${percent(descent)};line-gap-override:0%}`
  })
}
