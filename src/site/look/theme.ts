import type { components } from '../../generated/types.ts'
import { inkOn, isGrey, mixed, readable } from './colors.ts'
import type { SiteTemplate } from './templates.ts'

type Theme = components['schemas']['Website']['theme']

/** Fonts that we serve; any other name falls back to the reader's own sans serif. */
const stacks: Record<string, string> = {
  Inter: "'Inter Variable','Inter Arial','Inter Roboto',system-ui,sans-serif",
  'Playfair Display': "'Playfair Display Variable','Playfair Times',Georgia,serif",
  'Work Sans': "'Work Sans Variable','Work Arial','Work Roboto',system-ui,sans-serif",
  Georgia: "Georgia,'Times New Roman',serif",
}

/** A display face tires the eye in running text, and a second font of ours would double what a page loads. */
const runningText: Record<string, string> = {
  'Playfair Display': "-apple-system,'Segoe UI','Inter Arial','Inter Roboto',system-ui,sans-serif",
}

export function stackOf(font: string): string {
  return stacks[font] ?? 'system-ui,sans-serif'
}

/**
 * The owner's colours as variables of the stylesheets, in light and dark. Text is moved to a contrast
 * that everyone can read, whatever the owner chose; areas keep the colour itself.
 */
export function themeStyle(
  { primaryColor, accentColor, font }: Theme,
  template: SiteTemplate,
): string {
  const shared = { head: stackOf(font), body: runningText[font] ?? stackOf(font) }
  const light = schemeOf(primaryColor, accentColor, template.paper, '#17181a')
  const dark = schemeOf(primaryColor, accentColor, template.night, '#f2f1ef')
  return `:root{${variables({ ...shared, ...light })}}@media(prefers-color-scheme:dark){:root{${variables(dark)}}}`
}

function schemeOf(primary: string, accent: string, paper: string, ink: string) {
  const isDark = paper < '#8'
  const tint = mixed(paper, accent, isDark ? 0.16 : 0.2)
  // In the dark a dark colour is raised until it is seen as an area; one without a hue would look disabled.
  const raised = isGrey(primary) ? ink : readable(primary, [paper], 2)
  const brand = isDark ? raised : primary
  return {
    paper,
    ink,
    soft: readable(mixed(ink, paper, 0.42), [paper, tint]),
    line: mixed(paper, ink, 0.14),
    raised: mixed(paper, ink, 0.045),
    brand,
    'on-brand': inkOn(brand),
    link: readable(primary, [paper, tint]),
    accent,
    'on-accent': inkOn(accent),
    tint,
    'on-tint': readable(primary, [tint]),
  }
}

function variables(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
}
