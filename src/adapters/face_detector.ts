import { Worker } from 'node:worker_threads'
import { minute } from '../core/time.ts'
import { ModelFailed } from './models/failures.ts'

/** A patch of skin; every measure is between 0 and 1. */
export interface FaceRegion {
  brightness: number
  /** The share of red in its colour, which hardly depends on brightness. */
  redness: number
  /** Variation of brightness relative to its mean, without the slope of the light. */
  unevenness: number
}

export interface DetectedFace {
  regions: Record<'forehead' | 'leftCheek' | 'rightCheek', FaceRegion>
  /** Of the face, in pixels of the picture as it was sent. */
  width: number
  /** Of the picture's brightest parts, from 0 to 1. */
  light: number
  /** Of the strongest edges of the face, from 0 to 1. */
  sharpness: number
}

/** Finds faces and measures their skin. Pictures stay in memory and are dropped right after. */
export interface FaceDetector {
  detect(image: Buffer, signal?: AbortSignal): Promise<DetectedFace[]>
  close(): Promise<void>
}

/** The worker's reply. */
export type WorkerAnswer = { faces: DetectedFace[] } | { failure: string }

const idleMilliseconds = 5 * minute
const maxWaiting = 16

/**
 * Detection is CPU-bound, so it runs in a worker thread that starts with the first picture, handles
 * one at a time and ends when idle. A picture that takes too long or crashes the thread fails only
 * its own call: the next one gets a new thread.
 */
export function createFaceDetector({ timeoutSeconds }: { timeoutSeconds: number }): FaceDetector {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let closed = false

  async function end(): Promise<void> {
    clearTimeout(idle)
    const old = worker
    worker = undefined
    await old?.terminate()
  }

  async function run(image: Buffer, limit: AbortSignal): Promise<DetectedFace[]> {
    if (closed) throw new ModelFailed('aborted', 'The service is stopping.')
    if (limit.aborted) throw timeoutFailure(limit)
    clearTimeout(idle)
    worker ??= startWorker()
    try {
      const answer = await ask(worker, image, limit)
      if ('failure' in answer) throw new ModelFailed('misbehaved', answer.failure)
      idle = setTimeout(() => void end(), idleMilliseconds).unref()
      return answer.faces
    } catch (error) {
      await end()
      throw error
    }
  }

  return {
    async detect(image, signal) {
      if (waiting >= maxWaiting) throw new ModelFailed('unavailable', 'Too many pictures wait.')
      const deadline = AbortSignal.timeout(timeoutSeconds * 1000)
      const limit = signal ? AbortSignal.any([signal, deadline]) : deadline
      waiting++
      const turn = last.then(() => run(image, limit))
      last = turn.catch(() => undefined)
      try {
        return await Promise.race([turn, rejectedBy(limit)])
      } finally {
        waiting--
      }
    },
    async close() {
      closed = true
      await end()
      await last
    },
  }
}

function startWorker(): Worker {
  const options = { env: {}, execArgv: [], stdout: true, stderr: true }
  const worker = import.meta.url.endsWith('.ts')
    ? new Worker(startFromSource(), { ...options, eval: true })
    : new Worker(new URL('./face_worker.js', import.meta.url), options)
  // Discard the library's output: it may describe the picture.
  worker.stdout.resume()
  worker.stderr.resume()
  // Without a listener, an error outside a call would end the process.
  worker.on('error', () => undefined)
  worker.unref()
  return worker
}

/** The build puts the worker beside the bundle; from source it needs a loader. */
function startFromSource(): string {
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  const file = JSON.stringify(new URL('./face_worker.ts', import.meta.url).href)
  return `import(${loader}).then((tsx) => (tsx.register(), import(${file})))`
}

/** Sends a picture, and waits for the reply, the thread's end or the timeout. */
function ask(worker: Worker, image: Buffer, limit: AbortSignal): Promise<WorkerAnswer> {
  return new Promise<WorkerAnswer>((resolve, reject) => {
    const onExit = () => reject(new ModelFailed('unavailable', 'The detection ended unexpectedly.'))
    const onAbort = () => reject(timeoutFailure(limit))
    const onAnswer = (answer: WorkerAnswer) => {
      worker.off('exit', onExit)
      limit.removeEventListener('abort', onAbort)
      worker.unref()
      resolve(answer)
    }
    worker.ref()
    worker.once('message', onAnswer)
    worker.once('exit', onExit)
    limit.addEventListener('abort', onAbort, { once: true })
    worker.postMessage(new Uint8Array(image))
  })
}

function rejectedBy(limit: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const late = () => reject(timeoutFailure(limit))
    if (limit.aborted) late()
    else limit.addEventListener('abort', late, { once: true })
  })
}

function timeoutFailure({ reason }: AbortSignal): ModelFailed {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new ModelFailed('timeout', 'The picture took too long.')
    : new ModelFailed('aborted', 'The caller gave up.')
}
