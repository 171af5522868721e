/** A part of the home page. */
export type HomeSection = 'hero' | 'products' | 'collections' | 'about'

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
}

const minimal: SiteTemplate = {
  home: ['hero', 'products', 'collections', 'about'],
  heroPictures: 0,
  newest: 12,
  picture: [600, 600],
  paper: '#ffffff',
  night: '#111214',
}

/** The templates by their key; a key that is not here is shown as the first. */
const templates = new Map<string, SiteTemplate>([
  ['minimal', minimal],
  [
    'boutique',
    {
      home: ['hero', 'collections', 'products', 'about'],
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
      home: ['hero', 'collections', 'products', 'about'],
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
      home: ['hero', 'products', 'collections', 'about'],
      heroPictures: 1,
      newest: 12,
      picture: [800, 1200],
      paper: '#f6f6f3',
      night: '#121413',
    },
  ],
  [
    'customized',
    {
      home: ['hero', 'products', 'collections', 'about'],
      heroPictures: 1,
      newest: 9,
      picture: [800, 800],
      paper: '#ffffff',
      night: '#0e0e12',
    },
  ],
])

export const templateKeys = [...templates.keys()]

export function templateOf(key: string): { key: string } & SiteTemplate {
  const template = templates.get(key)
  return template ? { key, ...template } : { key: 'minimal', ...minimal }
}
