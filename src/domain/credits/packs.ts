/** Prices of credits. The only table of packs. */
export const packs = [
  { credits: 500, amountCents: 10_00, currency: 'USD' },
  { credits: 1000, amountCents: 20_00, currency: 'USD' },
  { credits: 5000, amountCents: 100_00, currency: 'USD' },
] as const

export type Pack = (typeof packs)[number]

export function packOf(credits: Pack['credits']): Pack {
  return packs.find((pack) => pack.credits === credits)!
}
