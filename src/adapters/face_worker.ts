import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import type { DetectedFace, FaceRegion, WorkerAnswer } from './face_detector.ts'

/** The parts of the detection library we use. */
interface Detection {
  load(): Promise<void>
  detect(picture: unknown): Promise<{ face: { box: number[]; mesh: number[][] }[]; error?: string }>
  tf: {
    tensor3d(values: Uint8Array, shape: number[], type: 'int32'): unknown
    dispose(tensor: unknown): void
  }
}

interface Library {
  Human: new (config: object) => Detection
}

interface Pixels {
  data: Uint8Array
  width: number
  height: number
}

const longestSide = 640
const maxPixels = 40_000_000
const maxFaces = 5

/** Only detector and mesh: identity, age and emotion are off for privacy. */
const onlyFaces = {
  debug: false,
  cacheSensitivity: 0,
  warmup: 'none',
  filter: { enabled: false },
  face: {
    enabled: true,
    detector: { rotation: false, maxDetected: maxFaces, minConfidence: 0.4 },
    mesh: { enabled: true },
    ...Object.fromEntries(
      ['attention', 'iris', 'description', 'emotion', 'antispoof', 'liveness', 'gear'].map(
        (name) => [name, { enabled: false }],
      ),
    ),
  },
  ...Object.fromEntries(
    ['body', 'hand', 'object', 'gesture', 'segmentation'].map((name) => [name, { enabled: false }]),
  ),
}

/** The library fetches its models by URL. This thread only serves file URLs. */
globalThis.fetch = async (input) => {
  const address = input instanceof Request ? input.url : String(input)
  if (!address.startsWith('file:')) throw new TypeError('This thread has no network.')
  return new Response(await readFile(new URL(address)))
}

/** Required from node_modules, because both packages read files next to their code. */
const load = createRequire(import.meta.url)
const human = join(dirname(load.resolve('@vladmandic/human')), 'human.node-wasm.js')
const wasm = load.resolve('@tensorflow/tfjs-backend-wasm/package.json')

async function openDetection(): Promise<Detection> {
  const { Human } = load(human) as Library
  const detection = new Human({
    ...onlyFaces,
    backend: 'wasm',
    wasmPath: `${join(dirname(wasm), 'wasm-out')}/`,
    modelBasePath: new URL('../models/', pathToFileURL(human)).href,
  })
  await detection.load()
  return detection
}

async function pixelsOf(image: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(image, { limitInputPixels: maxPixels, failOn: 'error' })
    .rotate()
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}

/** Mesh points at the centre of each patch. */
const landmarks = { forehead: 151, leftCheek: 425, rightCheek: 205 } as const
/** Half the side of a patch, relative to the face's width. */
const reach = 0.06

async function facesOf(detection: Detection, pixels: Pixels): Promise<DetectedFace[]> {
  const { data, width, height } = pixels
  const tensor = detection.tf.tensor3d(data, [height, width, 3], 'int32')
  try {
    const { face, error } = await detection.detect(tensor)
    if (error) throw new Error('The detection failed.')
    return face.map(({ box, mesh }) => {
      const side = Math.max(1, Math.round((box[2] ?? 0) * reach))
      const region = (index: number) => measure(pixels, mesh[index] ?? [0, 0], side)
      return {
        regions: {
          forehead: region(landmarks.forehead),
          leftCheek: region(landmarks.leftCheek),
          rightCheek: region(landmarks.rightCheek),
        },
      }
    })
  } finally {
    detection.tf.dispose(tensor)
  }
}

function measure({ data, width, height }: Pixels, centre: number[], side: number): FaceRegion {
  const [x = 0, y = 0] = centre.map(Math.round)
  const luma: number[] = []
  let redness = 0
  for (let row = Math.max(0, y - side); row < Math.min(height, y + side); row++)
    for (let column = Math.max(0, x - side); column < Math.min(width, x + side); column++) {
      const at = (row * width + column) * 3
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
      luma.push((0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255)
      redness += Math.max(0, red - (green + blue) / 2) / 255
    }
  if (luma.length === 0) return { brightness: 0, redness: 0, unevenness: 0 }
  const mean = luma.reduce((sum, value) => sum + value, 0) / luma.length
  const variance = luma.reduce((sum, value) => sum + (value - mean) ** 2, 0) / luma.length
  return {
    brightness: mean,
    redness: redness / luma.length,
    unevenness: mean > 0 ? Math.sqrt(variance) / mean : 0,
  }
}

const port = parentPort
if (port) {
  // Leave a core for other requests.
  sharp.concurrency(1)
  sharp.cache(false)
  let detection: Promise<Detection> | undefined
  port.on('message', (image: Uint8Array) => {
    detection ??= openDetection()
    const answer = (value: WorkerAnswer) => port.postMessage(value)
    detection
      .then(async (loaded) => facesOf(loaded, await pixelsOf(image)))
      .then(
        (faces) => answer({ faces }),
        () => answer({ failure: 'The picture could not be examined.' }),
      )
  })
}
