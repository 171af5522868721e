import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import type { PackageForm } from './kinds.ts'

/**
 * Drawn from shapes only: letters would look different on machines with other fonts. The same name
 * and hue always give the same picture.
 */
export interface DemoPicture {
  name: string
  hue: number
}

interface Colours {
  body: string
  shade: string
  cap: string
  label: string
  ink: string
}

/** The canvas in drawing units, and the size in pixels of a rendered square. */
const side = 640
const [wide, high] = [800, 450]
const pixels = { product: 480, logo: 256 }

export function drawProduct(picture: DemoPicture, form: PackageForm): Promise<Buffer> {
  const colours = coloursOf(picture.hue)
  const [first = 0, second = 0] = numbersOf(picture.name)
  const flower = blossom(0, 0, 46, 5 + (first % 5), second, colours.ink)
  const { pack, label } = packs[form](colours)
  const drawing = `${background(side, side, picture)}
    <ellipse cx="320" cy="560" rx="190" ry="26" fill="${colours.shade}" opacity=".35"/>
    ${pack}<g transform="translate(${label})">${flower}</g>`
  return webp(drawing, pixels.product)
}

/** A row of blossoms for a collection or a campaign. */
export async function drawBanner(picture: DemoPicture): Promise<Buffer> {
  const { ink, label, cap } = coloursOf(picture.hue)
  const flowers = numbersOf(picture.name)
    .slice(0, 9)
    .map((number, index) => {
      const [x, y] = [56 + index * 86, 110 + ((number * 7) % 230)]
      const fill = [ink, label, cap][index % 3]!
      return blossom(x, y, 36 + (number % 50), 5 + (number % 4), number, fill)
    })
  const size = `width="${wide}" height="${high}"`
  const image = await render(size, `${background(wide, high, picture)}${flowers.join('')}`)
  return image.jpeg({ quality: 78 }).toBuffer()
}

export function drawLogo({ name, hue }: DemoPicture): Promise<Buffer> {
  const { ink, label } = coloursOf(hue)
  const [turn = 0] = numbersOf(name)
  const rings = [260, 190, 120].map((radius, ring) =>
    blossom(320, 320, radius, 8 - ring, turn + ring * 23, ring % 2 ? label : ink),
  )
  return webp(rings.join(''), pixels.logo)
}

function coloursOf(hue: number): Colours {
  return {
    body: `hsl(${hue}, 52%, 72%)`,
    shade: `hsl(${hue}, 38%, 48%)`,
    cap: `hsl(${(hue + 18) % 360}, 34%, 38%)`,
    label: `hsl(${hue}, 60%, 96%)`,
    ink: `hsl(${(hue + 345) % 360}, 55%, 45%)`,
  }
}

/** Deterministic numbers from 0 to 255 for a name. */
function numbersOf(name: string): number[] {
  return [...createHash('sha256').update(name).digest()]
}

/** The shop's pale rose, tinted with the picture's hue, and two soft circles. */
function background(width: number, height: number, { name, hue }: DemoPicture): string {
  const [x = 0, y = 0, size = 0] = numbersOf(name).slice(4)
  const circle = (cx: number, cy: number, r: number) =>
    `<circle cx="${cx}" cy="${cy}" r="${r}" fill="hsl(${hue}, 60%, 84%)" opacity=".45"/>`
  return `<defs>
      <linearGradient id="sky" x2="0" y2="1">
        <stop offset="0" stop-color="#fdf3f5"/><stop offset="1" stop-color="hsl(${hue}, 55%, 88%)"/>
      </linearGradient>
      <linearGradient id="gloss">
        <stop offset="0" stop-color="#fff" stop-opacity=".45"/>
        <stop offset=".35" stop-color="#fff" stop-opacity="0"/>
        <stop offset="1" stop-color="#000" stop-opacity=".18"/>
      </linearGradient>
    </defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    ${circle(width * 0.2 + x / 3, height * 0.25 + y / 3, 90 + size / 4)}
    ${circle(width * 0.85 - y / 3, height * 0.7 - x / 3, 60 + size / 3)}`
}

function blossom(
  x: number,
  y: number,
  radius: number,
  petals: number,
  turn: number,
  fill: string,
): string {
  const petal = `<ellipse cy="${-radius * 0.55}" rx="${radius * 0.34}" ry="${radius * 0.5}"/>`
  const around = Array.from(
    { length: petals },
    (_, index) => `<g transform="rotate(${turn + (index * 360) / petals})">${petal}</g>`,
  )
  return `<g transform="translate(${x} ${y})" fill="${fill}" fill-opacity=".8">${around.join('')}
    <circle r="${radius * 0.2}" fill="#fff" fill-opacity=".9"/></g>`
}

type Pack = (colours: Colours) => { pack: string; label: string }

function box(x: number, y: number, width: number, height: number, rx: number, fill: string) {
  const place = `x="${x}" y="${y}" width="${width}" height="${height}" rx="${rx}"`
  return `<rect ${place} fill="${fill}"/>`
}

/** A rounded body with light from the left. */
function body(x: number, y: number, width: number, height: number, rx: number, fill: string) {
  return box(x, y, width, height, rx, fill) + box(x, y, width, height, rx, 'url(#gloss)')
}

/** Each pack, and the centre of its label. */
const packs: Record<PackageForm, Pack> = {
  bottle: (c) => ({
    pack:
      body(275, 90, 90, 80, 10, c.cap) +
      body(220, 165, 200, 395, 46, c.body) +
      box(240, 280, 160, 180, 12, c.label),
    label: '320 370',
  }),
  pump: (c) => ({
    pack:
      box(225, 84, 120, 26, 13, c.cap) +
      box(308, 100, 24, 60, 4, c.cap) +
      body(280, 150, 80, 50, 8, c.cap) +
      body(225, 196, 190, 364, 30, c.body) +
      box(243, 290, 154, 170, 10, c.label),
    label: '320 375',
  }),
  dropper: (c) => ({
    pack:
      body(298, 80, 44, 100, 22, c.cap) +
      body(275, 170, 90, 66, 8, c.shade) +
      body(225, 230, 190, 330, 34, c.body) +
      box(225, 310, 190, 160, 0, c.label),
    label: '320 390',
  }),
  jar: (c) => ({
    pack:
      body(170, 250, 300, 90, 18, c.cap) +
      body(160, 335, 320, 225, 44, c.body) +
      box(215, 375, 210, 130, 14, c.label),
    label: '320 440',
  }),
  tube: (c) => ({
    pack:
      `<path d="M210 90h220l-30 390h-160z" fill="${c.body}"/>` +
      `<path d="M210 90h220l-30 390h-160z" fill="url(#gloss)"/>` +
      box(204, 78, 232, 26, 4, c.shade) +
      body(245, 478, 150, 82, 10, c.cap) +
      `<circle cx="320" cy="270" r="72" fill="${c.label}"/>`,
    label: '320 270',
  }),
  bar: (c) => ({
    pack:
      body(130, 360, 380, 200, 56, c.body) +
      `<rect x="160" y="386" width="320" height="148" rx="38" fill="none" stroke="${c.shade}" stroke-width="6" opacity=".5"/>` +
      `<circle cx="320" cy="460" r="58" fill="${c.label}"/>`,
    label: '320 460',
  }),
  stick: (c) => ({
    pack:
      `<path d="M275 250v-110q60-60 90 10v100z" fill="${c.ink}"/>` +
      body(268, 245, 104, 80, 4, '#d8b67a') +
      body(250, 320, 140, 240, 10, c.cap) +
      box(250, 370, 140, 120, 0, c.label),
    label: '320 430',
  }),
  compact: (c) => ({
    pack:
      `<circle cx="320" cy="220" r="150" fill="${c.cap}"/>` +
      `<circle cx="320" cy="220" r="122" fill="#eef4f7"/>` +
      `<ellipse cx="320" cy="470" rx="180" ry="92" fill="${c.cap}"/>` +
      `<ellipse cx="320" cy="458" rx="150" ry="72" fill="${c.body}"/>`,
    label: '320 455',
  }),
  wand: (c) => ({
    pack:
      body(285, 70, 70, 200, 12, c.shade) +
      body(272, 266, 96, 294, 16, c.cap) +
      box(272, 330, 96, 150, 0, c.label),
    label: '320 405',
  }),
  box: (c) => ({
    pack:
      body(140, 270, 360, 290, 12, c.body) +
      body(120, 210, 400, 80, 12, c.shade) +
      box(296, 210, 48, 350, 0, c.label) +
      blossom(320, 195, 90, 4, 45, c.ink) +
      `<circle cx="320" cy="420" r="66" fill="${c.label}"/>`,
    label: '320 420',
  }),
}

async function webp(drawing: string, size: number): Promise<Buffer> {
  const square = `width="${size}" height="${size}" viewBox="0 0 ${side} ${side}"`
  return (await render(square, drawing)).webp({ quality: 82, effort: 2 }).toBuffer()
}

async function render(size: string, drawing: string): Promise<Sharp> {
  // Imported lazily: a bundle would otherwise load it at every start.
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${drawing}</svg>`))
}
