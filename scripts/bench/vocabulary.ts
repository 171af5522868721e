const qualities =
  `Gentle Radiant Hydrating Velvet Organic Soothing Nourishing Brightening Matte Silky
  Pure Daily Intensive Calming Refreshing Luminous Delicate Restoring Purifying Classic`.split(
    /\s+/,
  )

const ingredients =
  `Rose Lavender Argan Chamomile Green-Tea Aloe Jojoba Shea Honey Oat Coconut Almond
  Saffron Jasmine Olive Cucumber Mint Vanilla Calendula Hibiscus Neroli Bergamot Fig Pomegranate
  Gül Yasemin Ihlamur`.split(/\s+/)

/** One in twelve products is a cream, the common search word. */
const kinds = `Cream Serum Balm Toner Soap Shampoo Mask Lotion Cleanser Oil Scrub Perfume`.split(
  ' ',
)

const sizes = ['30 ml', '50 ml', '75 ml', '100 ml', '150 ml', '200 ml', '250 ml', '500 ml']

const brands = `Anatolia Petal&Co Nordhaus Maison-Lune Solea Verdant Kirei Botanica Aurelia Dermis
  Tuva Seraphine Halcyon Ondine Juniper Marmara`.split(/\s+/)

/** The words that the bench searches for. */
export const searches = { common: 'cream', rare: 'ashwagandha', two: 'lm' } as const

/** Every 5000th product has the rare word, and so do the first twenty, to fill a page. */
const rareEvery = 5000
const rareFirst = 20

/** Picks a pseudo-random word, the same in every run. */
function pick(words: string[], n: number, salt: number): string {
  const mixed = Math.imul(n + salt * 7919, 2654435761) >>> 0
  return words[(mixed >>> 8) % words.length]!
}

/** Name and brand of product `n`; names are unique. */
export function nameOf(n: number): { name: string; brand: string } {
  const rare = n < rareFirst || n % rareEvery === 0 ? ['Ashwagandha'] : []
  const words = [
    pick(qualities, n, 1),
    pick(ingredients, n, 2),
    ...rare,
    pick(kinds, n, 3),
    pick(sizes, n, 4),
    `No ${n + 1}`,
  ]
  return { name: words.join(' '), brand: pick(brands, n, 5) }
}

/** A description of realistic length. */
export function textOf(n: number): string {
  const sentences = Array.from({ length: 5 }, (_, part) => {
    const [quality, ingredient] = [pick(qualities, n, part + 6), pick(ingredients, n, part + 11)]
    return `${quality} and light, with ${ingredient} for every day of the year.`
  })
  return sentences.join(' ')
}
