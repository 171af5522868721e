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
  return rules.join('')
}
