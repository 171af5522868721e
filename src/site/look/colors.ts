/** A colour as its three parts, 0 to 255. */
type Rgb = [number, number, number]

const rgbOf = (color: string): Rgb =>
  [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as Rgb

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** Whether a colour has hardly any hue. */
export function isGrey(color: string): boolean {
  const rgb = rgbOf(color)
  return Math.max(...rgb) - Math.min(...rgb) < 40
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share)
  return [part(0), part(1), part(2)]
}

/** The first colour with a share of the second. */
export function mixed(color: string, other: string, share: number): string {
  return hexOf(mix(rgbOf(color), rgbOf(other), share))
}

/** The light of each value of a part, as WCAG defines it. */
const lights = Array.from({ length: 256 }, (_, part) => {
  const value = part / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

/** Relative luminance, as WCAG defines it. */
const luminanceOf = ([red, green, blue]: Rgb): number =>
  0.2126 * lights[red]! + 0.7152 * lights[green]! + 0.0722 * lights[blue]!

/** The contrast of two luminances, 1 to 21. */
const contrastBetween = (one: number, other: number): number =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)

/** The contrast of two colours, 1 to 21. */
export function contrastOf(color: string, other: string): number {
  return contrastBetween(luminanceOf(rgbOf(color)), luminanceOf(rgbOf(other)))
}

/** Whether white can be read better on a colour than black. */
export function isDark(color: string): boolean {
  return contrastOf('#ffffff', color) > contrastOf('#000000', color)
}

/** Moves a colour towards black or white until text in it can be read on all of these. */
export function readable(color: string, papers: readonly string[], least = 4.6): string {
  const end = isDark(papers[0]!) ? '#ffffff' : '#000000'
  const [from, to] = [rgbOf(color), rgbOf(end)]
  const grounds = papers.map((paper) => luminanceOf(rgbOf(paper)))
  for (let share = 0; share < 1; share += 0.05) {
    const moved = mix(from, to, share)
    const luminance = luminanceOf(moved)
    if (grounds.every((ground) => contrastBetween(luminance, ground) >= least)) return hexOf(moved)
  }
  return end
}

/** The one of black and white that can be read best on a colour. */
export function inkOn(color: string): string {
  const ink = contrastOf('#ffffff', color) >= contrastOf('#111111', color) ? '#ffffff' : '#111111'
  // On a few colours in the middle only black itself is dark enough.
  return readable(ink, [color], 4.5)
}
