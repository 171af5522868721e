import type { components } from '../../generated/types.ts'
import { inkOn, isDark, isGrey, mixed, readable } from './colors.ts'
import type { SiteTemplate } from './templates.ts'

type Theme = components['schemas']['Website']['theme']

/**
 * Fonts that we serve; any other name falls back to the reader's own sans serif. Owners write these names, so
 * they are looked up in no object, which has names of its own.
 */
const stacks = new Map([
  ['Inter', "'Inter Own','Inter Arial','Inter Roboto',system-ui,sans-serif"],
  ['Playfair Display', "'Playfair Own','Playfair Times',Georgia,serif"],
  ['Work Sans', "'Work Own','Work Arial','Work Roboto',system-ui,sans-serif"],
  ['Georgia', "Georgia,'Times New Roman',serif"],
])

/** A display face tires the eye in running text, and a second font of ours would double what a page loads. */
const runningText = new Map([
  [
    'Playfair Display',
    "-apple-system,'Segoe UI','Inter Arial','Inter Roboto',system-ui,sans-serif",
  ],
])

function stackOf(font: string): string {
  return stacks.get(font) ?? 'system-ui,sans-serif'
}

/**
 * The owner's colours as variables of the stylesheets, in light and dark. Text is moved to a contrast
 * that everyone can read, whatever the owner chose; areas keep the colour itself.
 */
export function themeStyle(
  { primaryColor, accentColor, font }: Theme,
  template: SiteTemplate,
): string {
  const body = runningText.get(font) ?? stackOf(font)
  const shared = { head: stackOf(font), body, ...template.variables }
  const schemeOn = (paper: string) => {
    const scheme = schemeOf(primaryColor, accentColor, paper)
    const plate = isDark(paper) || template.isHeadColored ? logoPlate : '#0000'
    return { ...scheme, ...stageOf(scheme, template), plate }
  }
  const [light, dark] = [schemeOn(template.paper), schemeOn(template.night)]
  return `:root{${variables({ ...shared, ...light })}}@media(prefers-color-scheme:dark){:root{${variables(dark)}}}`
}

/** What a logo stands on where the head is dark or coloured: most are drawn in dark lines for white paper. */
const logoPlate = '#f4f4f2'

type Scheme = ReturnType<typeof schemeOf>

function schemeOf(primary: string, accent: string, chosen: string) {
  const isNight = isDark(chosen)
  const ink = isNight ? '#f2f1ef' : '#17181a'
  // A paper between light and dark leaves no room for the colours of texts on its tints.
  const paper = readable(chosen, [ink], 9)
  const tint = mixed(paper, accent, isNight ? 0.16 : 0.2)
  const lifted = mixed(paper, ink, 0.045)
  // In the dark a dark colour is raised until it is seen as an area; one without a hue would look disabled.
  const raised = isGrey(primary) ? ink : readable(primary, [paper], 2)
  const brand = isNight ? raised : primary
  return {
    paper,
    ink,
    soft: readable(mixed(ink, paper, 0.42), [paper, tint, lifted]),
    line: mixed(paper, ink, 0.14),
    raised: lifted,
    brand,
    'on-brand': inkOn(brand),
    link: readable(primary, [paper, tint]),
    accent,
    'on-accent': inkOn(accent),
    tint,
    'on-tint': readable(primary, [tint]),
  }
}

/** Head and foot, of a template whose head is in the shop's colour or on paper; in the dark, they are raised. */
function stageOf(scheme: Scheme, { isHeadColored }: SiteTemplate): Record<string, string> {
  if (isHeadColored === undefined) return {}
  const { paper, ink, raised, brand, 'on-brand': onBrand } = scheme
  const isNight = isDark(paper)
  const [color, onColor] = isNight ? [raised, ink] : [brand, onBrand]
  const [band, onBand] = isHeadColored ? [color, onColor] : [paper, ink]
  const [foot, onFoot] = isNight ? [raised, ink] : [ink, paper]
  return { band, 'on-band': onBand, foot, 'on-foot': onFoot }
}

function variables(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
}
