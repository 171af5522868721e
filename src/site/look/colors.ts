/** A colour as its three parts, 0 to 255. */
type Rgb = [number, number, number]

const rgbOf = (color: string): Rgb =>
  [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as Rgb

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Whether a colour has hardly any hue. */
export function isGrey(color: string): boolean {
  const rgb = rgbOf(color)
  return Math.max(...rgb) - Math.min(...rgb) < 40
}

/** The first colour with a share of the second. */
export function mixed(color: string, other: string, share: number): string {
  const [from, to] = [rgbOf(color), rgbOf(other)]
  return hexOf(from.map((part, index) => part + (to[index]! - part) * share) as Rgb)
}

/** Relative luminance, as WCAG defines it. */
function luminanceOf(color: string): number {
  const [red, green, blue] = rgbOf(color).map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours, 1 to 21. */
export function contrastOf(color: string, other: string): number {
  const [light, dark] = [luminanceOf(color), luminanceOf(other)].sort((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

/** Whether white can be read better on a colour than black. */
export function isDark(color: string): boolean {
  return contrastOf('#ffffff', color) > contrastOf('#000000', color)
}

/** Moves a colour towards black or white until text in it can be read on all of these. */
export function readable(color: string, papers: readonly string[], least = 4.6): string {
  const end = isDark(papers[0]!) ? '#ffffff' : '#000000'
  for (let share = 0; share < 1; share += 0.05) {
    const moved = mixed(color, end, share)
    if (papers.every((paper) => contrastOf(moved, paper) >= least)) return moved
  }
  return end
}

/** The one of black and white that can be read best on a colour. */
export function inkOn(color: string): string {
  const ink = contrastOf('#ffffff', color) >= contrastOf('#111111', color) ? '#ffffff' : '#111111'
  // On a few colours in the middle only black itself is dark enough.
  return readable(ink, [color], 4.5)
}
