import type { components } from '../../generated/types.ts'
import { defaultDesign, wholeDesign } from '../../domain/site/designs.ts'

export type HomeSection = components['schemas']['HomeSection']
type Design = components['schemas']['WorkspaceDesign']

/** How a template arranges a shop. Sizes, pictures and type are in its stylesheet. */
export interface SiteTemplate {
  /** What stands on the home page, in this order. */
  home: readonly HomeSection[]
  /** How the first thing on the home page shows pictures of the shop. */
  heroPictures: 0 | 1 | 3
  /** Products on the home page. */
  newest: number
  /** Width and height of pictures in lists, for the browser to make room. */
  picture: readonly [width: number, height: number]
  /** The paper in the light. */
  paper: string
  /** The paper in the dark. */
  night: string
  /** Whether the head is in the shop's colour, for a stylesheet that draws it so or on paper. */
  isHeadColored?: boolean
  /** What a design sets of the stylesheet. */
  variables?: Record<string, string>
}

const minimal: SiteTemplate = {
  home: ['HERO', 'PRODUCTS', 'COLLECTIONS', 'ABOUT'],
  heroPictures: 0,
  newest: 12,
  picture: [600, 600],
  paper: '#ffffff',
  night: '#111214',
}

const corners = { SQUARE: '0px', SLIGHT: '.35rem', ROUND: '.75rem', VERY_ROUND: '1.25rem' }
const scales = { SMALL: '.7', MEDIUM: '.85', LARGE: '1' }
const weights = { REGULAR: '400', MEDIUM: '550', BOLD: '750' }

function customized(design: Design): SiteTemplate {
  const { sections, heroPictures, newest, columns, isFramed, paper, night, isHeadColored } = design
  const [width, height] = design.pictureRatio.split(':').map(Number) as [number, number]
  return {
    home: sections,
    heroPictures,
    newest,
    picture: [800, Math.round((800 * height) / width)],
    paper,
    night,
    isHeadColored,
    variables: {
      shape: `${width}/${height}`,
      desk: String(columns),
      corner: corners[design.corners],
      scale: scales[design.headingSize],
      weight: weights[design.headingWeight],
      rim: isFramed ? '2px' : '0',
      inset: isFramed ? '.6rem' : '0px',
    },
  }
}

/** The templates by their key; a key that is not here is shown as the first. */
const templates = new Map<string, SiteTemplate>([
  ['minimal', minimal],
  [
    'boutique',
    {
      home: ['HERO', 'COLLECTIONS', 'PRODUCTS', 'ABOUT'],
      heroPictures: 1,
      newest: 6,
      picture: [900, 1200],
      paper: '#fbf8f4',
      night: '#16120f',
    },
  ],
  [
    'beauty',
    {
      home: ['HERO', 'COLLECTIONS', 'PRODUCTS', 'ABOUT'],
      heroPictures: 3,
      newest: 8,
      picture: [700, 840],
      paper: '#fffdfd',
      night: '#171114',
    },
  ],
  [
    'textile',
    {
      home: ['HERO', 'PRODUCTS', 'COLLECTIONS', 'ABOUT'],
      heroPictures: 1,
      newest: 12,
      picture: [800, 1200],
      paper: '#f6f6f3',
      night: '#121413',
    },
  ],
  ['customized', customized(defaultDesign)],
])

export const templateKeys = [...templates.keys()]

/** The template with this key; staff design one of them. */
export function templateOf(key: string, design?: Design | null): { key: string } & SiteTemplate {
  const template =
    key === 'customized' && design ? customized(wholeDesign(design)) : templates.get(key)
  return template ? { key, ...template } : { key: 'minimal', ...minimal }
}
