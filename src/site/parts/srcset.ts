import type { webpWidths } from '../../domain/media/picture_variants.ts'

type Width = (typeof webpWidths)[number]

/**
 * The files of a picture, of which the browser takes the one that fits its screen. One that is not made,
 * or that the picture is too small for, is answered with the picture itself.
 */
export function srcsetOf(url: string, widths: readonly Width[]): string | undefined {
  const [, start, extension] = /^(.+)\.([a-z]+)$/.exec(url) ?? []
  // Most of them move.
  if (start === undefined || extension === 'gif') return undefined
  return widths.map((width) => `${start}-${width}.webp ${width}w`).join(', ')
}

/** The picture as messengers show it, whose shape they are told. */
export const shareUrlOf = (url: string) => url.replace(/\.[a-z]+$/, '-share.jpg')

/** A card: four in a row, or two on a phone. */
export const ofCard = {
  widths: [320, 640, 960],
  sizes: '(min-width: 64rem) 25vw, (min-width: 40rem) 33vw, 50vw',
} as const
/** A picture of a product: half of the page, or its whole width on a phone, for which the smallest file is too small. */
export const ofProduct = {
  widths: [640, 960, 1280],
  sizes: '(min-width: 56rem) 50vw, 100vw',
} as const
/** A picture across the page. */
export const ofPage = { widths: [640, 960, 1280], sizes: '100vw' } as const
/** One of a few pictures beside each other at the top of a page, beneath the words on a phone. */
export const ofGroup = { widths: [320, 640, 960], sizes: '(min-width: 56rem) 25vw, 50vw' } as const
