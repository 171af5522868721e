import type { DetectedFace, FaceRegion } from './face_detector.ts'

/** A decoded picture: three bytes a pixel. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
  /** How many pixels of the original each of these stands for, along one side. */
  scale: number
}

/** A face as the network reports it: the points of its mesh. */
export interface MeshedFace {
  mesh: number[][]
}

interface Point {
  x: number
  y: number
}

type Name = keyof DetectedFace['regions']

/** Mesh points at the centre of each patch. Left and right change places in a mirror. */
const landmarks: Record<Name, number> = { forehead: 151, leftCheek: 425, rightCheek: 205 }
const mirrorImages: Record<Name, Name> = {
  forehead: 'forehead',
  leftCheek: 'rightCheek',
  rightCheek: 'leftCheek',
}
/** Half the side of a patch, relative to the face's width. */
const reach = 0.09

export function mirrored({ data, width, height, scale }: Pixels): Pixels {
  const flipped = new Uint8Array(data.length)
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const from = (row * width + column) * 3
      flipped.set(data.subarray(from, from + 3), (row * width + width - 1 - column) * 3)
    }
  return { data: flipped, width, height, scale }
}

/**
 * Measures the faces that the network sees in a picture and in its mirror image. The network is not
 * quite symmetric, and a selfie is often mirrored: with both views, a picture and its mirror image
 * measure the same.
 */
export function measureFaces(
  pixels: Pixels,
  seen: readonly MeshedFace[],
  seenMirrored: readonly MeshedFace[],
): DetectedFace[] {
  const views = seen.map((face) => [placesOf(face)])
  const others = seenMirrored.map((face) => [mirroredPlaces(placesOf(face), pixels.width)])
  if (views.length === 1 && others.length === 1)
    return [measureFace(pixels, [...views[0]!, ...others[0]!])]
  return (views.length >= others.length ? views : others).map((view) => measureFace(pixels, view))
}

/** Where the parts of a face are. */
interface Places {
  centres: Record<Name, Point>
  left: number
  top: number
  width: number
  height: number
}

function placesOf({ mesh }: MeshedFace): Places {
  const [columns, rows] = [0, 1].map((axis) => mesh.map((point) => point[axis] ?? 0)) as [
    number[],
    number[],
  ]
  const [left, top] = [Math.min(...columns), Math.min(...rows)]
  const [width, height] = [Math.max(...columns) - left, Math.max(...rows) - top]
  const centre = (name: Name): Point => {
    const [x = 0, y = 0] = mesh[landmarks[name]] ?? []
    return { x, y }
  }
  return {
    centres: {
      forehead: centre('forehead'),
      leftCheek: centre('leftCheek'),
      rightCheek: centre('rightCheek'),
    },
    left,
    top,
    width,
    height,
  }
}

function mirroredPlaces({ centres, left, top, width, height }: Places, full: number): Places {
  const centre = (name: Name): Point => {
    const { x, y } = centres[mirrorImages[name]]
    return { x: full - x, y }
  }
  return {
    centres: {
      forehead: centre('forehead'),
      leftCheek: centre('leftCheek'),
      rightCheek: centre('rightCheek'),
    },
    left: full - left - width,
    top,
    width,
    height,
  }
}

function measureFace(pixels: Pixels, views: readonly Places[]): DetectedFace {
  const mean = (value: (view: Places) => number) =>
    views.reduce((sum, view) => sum + value(view), 0) / views.length
  const width = mean((view) => view.width)
  const side = Math.max(2, width * reach)
  const region = (name: Name) => {
    const x = mean(({ centres }) => centres[name].x)
    const y = mean(({ centres }) => centres[name].y)
    return measureRegion(pixels, { x, y }, side)
  }
  const box = {
    left: mean((view) => view.left),
    top: mean((view) => view.top),
    width,
    height: mean((view) => view.height),
  }
  return {
    regions: {
      forehead: region('forehead'),
      leftCheek: region('leftCheek'),
      rightCheek: region('rightCheek'),
    },
    width: width * pixels.scale,
    light: lightIn(pixels),
    sharpness: sharpnessIn(pixels, box),
  }
}

/** Cells along one side of a patch: their means are free of noise and compression. */
const cells = 6

function measureRegion(pixels: Pixels, centre: Point, side: number): FaceRegion {
  const sums = Array.from({ length: cells * cells }, () => ({ red: 0, all: 0, luma: 0, count: 0 }))
  const { data, width, height } = pixels
  const within = (middle: number, end: number): [number, number] => [
    Math.max(0, Math.floor(middle - side)),
    Math.min(end, Math.ceil(middle + side)),
  ]
  const [top, bottom] = within(centre.y, height)
  const [left, right] = within(centre.x, width)
  for (let row = top; row < bottom; row++)
    for (let column = left; column < right; column++) {
      // Measured from the centre, so that a mirrored pixel falls into the mirrored cell.
      const u = cellOf((column + 0.5 - centre.x) / side)
      const v = cellOf((row + 0.5 - centre.y) / side)
      if (u === undefined || v === undefined) continue
      const at = (row * width + column) * 3
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
      const cell = sums[v * cells + u]!
      cell.red += red
      cell.all += red + green + blue
      cell.luma += lumaOf(red, green, blue)
      cell.count++
    }
  const filled = sums.flatMap((cell, index) => {
    if (cell.count === 0) return []
    const { red, all, luma, count } = cell
    const x = (index % cells) - (cells - 1) / 2
    const y = Math.floor(index / cells) - (cells - 1) / 2
    return { x, y, luma: luma / count, redness: all > 0 ? red / all : 0 }
  })
  if (filled.length === 0) return { brightness: 0, redness: 0, unevenness: 0 }
  const brightness = meanOf(filled.map(({ luma }) => luma))
  return {
    brightness,
    redness: meanOf(filled.map(({ redness }) => redness)),
    unevenness: brightness > 0 ? deviationFromPlane(filled) / brightness : 0,
  }
}

/** The cell of a distance from the centre, from -1 to 1. */
function cellOf(distance: number): number | undefined {
  const half = cells / 2
  const away = Math.floor(Math.abs(distance) * half)
  if (away >= half) return undefined
  return distance < 0 ? half - 1 - away : half + away
}

/**
 * How far cells are from an even slope of brightness, which is light and not skin. The median: a
 * patch may reach into hair or a shadow.
 */
function deviationFromPlane(points: readonly { x: number; y: number; luma: number }[]): number {
  const mean = meanOf(points.map(({ luma }) => luma))
  const slope = (axis: 'x' | 'y') => {
    const spread = points.reduce((sum, point) => sum + point[axis] ** 2, 0)
    return points.reduce((sum, point) => sum + point[axis] * (point.luma - mean), 0) / (spread || 1)
  }
  const [along, down] = [slope('x'), slope('y')]
  return percentile(
    points.map(({ x, y, luma }) => Math.abs(luma - mean - along * x - down * y)),
    0.5,
  )
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function lumaOf(red: number, green: number, blue: number): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
}

function lumaAt({ data, width }: Pixels, column: number, row: number): number {
  const at = (row * width + column) * 3
  return lumaOf(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)
}

/** How bright the brightest parts of the picture are: dark skin in good light is not a dark picture. */
function lightIn(pixels: Pixels): number {
  const { width, height } = pixels
  const values: number[] = []
  for (let row = 0; row < height; row += 2)
    for (let column = 0; column < width; column += 2) values.push(lumaAt(pixels, column, row))
  return percentile(values, 0.95)
}

function percentile(values: number[], share: number): number {
  const sorted = values.sort((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}

/** Samples across a face: sharpness is judged at one size, whatever the picture's. */
const samples = 96

/**
 * How fast brightness changes at the strongest edges of a face (eyes, brows, mouth), relative to its
 * contrast: 1 is a whole step from dark to bright within one hundredth of the face.
 */
function sharpnessIn(
  pixels: Pixels,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): number {
  const step = width / samples
  const rows = Math.floor(height / step)
  const luma = (column: number, row: number) => {
    const x = Math.round(left + (column + 0.5) * step - 0.5)
    const y = Math.round(top + (row + 0.5) * step - 0.5)
    if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) return undefined
    return lumaAt(pixels, x, y)
  }
  const edges: number[] = []
  const values: number[] = []
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < samples; column++) {
      const [here, right, below] = [luma(column, row), luma(column + 1, row), luma(column, row + 1)]
      if (here === undefined || right === undefined || below === undefined) continue
      values.push(here)
      edges.push(Math.max(Math.abs(here - right), Math.abs(here - below)))
    }
  const contrast = percentile([...values], 0.98) - percentile(values, 0.02)
  return contrast > 0 ? percentile(edges, 0.99) / contrast : 0
}
