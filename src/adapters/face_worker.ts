import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import type { DetectedFace, WorkerAnswer } from './face_detector.ts'
import { measureFaces, type MeshedFace, mirrored, type Pixels } from './face_measures.ts'

/** The parts of the detection library we use. */
interface Detection {
  load(): Promise<void>
  detect(picture: unknown): Promise<{ face: MeshedFace[]; error?: string }>
  tf: {
    tensor3d(values: Uint8Array, shape: number[], type: 'int32'): unknown
    dispose(tensor: unknown): void
  }
}

interface Library {
  Human: new (config: object) => Detection
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

/**
 * The library and its models, as `npm run faces` takes them from their packages. In a build they lie
 * beside it, too.
 */
const library = new URL('./faces/', import.meta.url)

async function openDetection(): Promise<Detection> {
  const { Human } = createRequire(import.meta.url)('./faces/human.cjs') as Library
  const detection = new Human({
    ...onlyFaces,
    backend: 'wasm',
    wasmPath: fileURLToPath(library),
    modelBasePath: library.href,
  })
  await detection.load()
  return detection
}

async function pixelsOf(image: Uint8Array): Promise<Pixels> {
  const picture = sharp(image, { limitInputPixels: maxPixels, failOn: 'error' }).autoOrient()
  const { autoOrient } = await picture.metadata()
  const { data, info } = await picture
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return { data: new Uint8Array(data), width, height, scale: autoOrient.width / width }
}

async function meshedFaces(detection: Detection, pixels: Pixels): Promise<MeshedFace[]> {
  const { data, width, height } = pixels
  const tensor = detection.tf.tensor3d(data, [height, width, 3], 'int32')
  try {
    const { face, error } = await detection.detect(tensor)
    if (error) throw new Error('The detection failed.')
    return face
  } finally {
    detection.tf.dispose(tensor)
  }
}

async function facesOf(detection: Detection, pixels: Pixels): Promise<DetectedFace[]> {
  const seen = await meshedFaces(detection, pixels)
  const seenMirrored = await meshedFaces(detection, mirrored(pixels))
  return measureFaces(pixels, seen, seenMirrored)
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
