import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { unavailable } from '../../core/errors.ts'
import { minute } from '../../core/time.ts'
import type { Reason } from '../../texts/refusals.ts'
import { UnfitImage } from './image_containers.ts'
import type { CheckedImage, ImageType } from './image_types.ts'
import type { MadeFiles, Purpose } from './picture_work.ts'

export interface PictureTask {
  bytes: Uint8Array
  mimeType: ImageType
  /** What it is decoded for, or which of its files are to be made. */
  purpose: Purpose | 'files' | 'share'
}
type DecodeOutcome =
  | { image: CheckedImage }
  | { made: MadeFiles }
  | { unfit: Reason }
  | { failure: string }
/** What became of a picture, and the processor time that it took. */
export type PictureAnswer = { outcome: DecodeOutcome; milliseconds: number }

interface Limits {
  signal: AbortSignal | undefined
  seconds: number
}

/** A process that decodes pictures, one at a time. It is started when it is needed. */
export interface Decoder {
  decode(task: PictureTask, limits: Limits): Promise<PictureAnswer>
  /** Ends the idle process; the next picture starts another. */
  end(): void
}

interface Started {
  child: ChildProcess
  /** Its start is not a part of any picture's time. */
  ready: Promise<void>
}

const idleMilliseconds = minute
const startMilliseconds = minute

/** The greater its niceness, the more others come first. */
export function createDecoder(niceness: number): Decoder {
  let started: Started | undefined
  let idle: NodeJS.Timeout | undefined

  function end(): void {
    started?.child.kill('SIGKILL')
    started = undefined
  }

  async function answered(task: PictureTask, limits: Limits): Promise<PictureAnswer> {
    const { child, ready } = (started ??= start(niceness, (lost) => {
      if (started?.child === lost) started = undefined
    }))
    await unlessAborted(ready, limits.signal)
    if (limits.signal?.aborted) throw unavailable()
    return ask(child, task, limits, end)
  }

  return {
    async decode(task, limits) {
      if (limits.signal?.aborted) throw unavailable()
      clearTimeout(idle)
      return answered(task, limits).finally(() => {
        idle = setTimeout(end, idleMilliseconds).unref()
      })
    },
    end,
  }
}

/** Sends a picture, and waits for the answer, the end of the process, the deadline or the abort. */
function ask(
  child: ChildProcess,
  task: PictureTask,
  { signal, seconds }: Limits,
  end: () => void,
): Promise<PictureAnswer> {
  return new Promise((resolve, reject) => {
    const conclude = (finish: () => void) => {
      clearTimeout(deadline)
      child.off('message', onAnswer).off('exit', onExit)
      signal?.removeEventListener('abort', onAbort)
      child.channel?.unref()
      finish()
    }
    const stop = (error: Error) =>
      conclude(() => {
        end()
        reject(error)
      })
    const onAnswer = (answer: unknown) => conclude(() => resolve(answer as PictureAnswer))
    // A picture that crashes the decoder is not one to keep.
    const onExit = () => stop(new UnfitImage('imageDamaged'))
    const onAbort = () => stop(unavailable())
    const deadline = setTimeout(() => stop(new UnfitImage('imageTooSlow')), seconds * 1000)
    child.once('message', onAnswer).once('exit', onExit)
    signal?.addEventListener('abort', onAbort, { once: true })
    child.channel?.ref()
    // It ended before it had the picture.
    child.send(task, (error) => error && stop(unavailable()))
  })
}

/** Leaves a process that is starting to the next picture. */
function unlessAborted(ready: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(unavailable())
    signal?.addEventListener('abort', leave, { once: true })
    ready.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
  })
}

function start(niceness: number, onLost: (child: ChildProcess) => void): Started {
  const child = forked(niceness)
  const ready = new Promise<void>((resolve, reject) => {
    const lose = (cause?: Error) => {
      clearTimeout(deadline)
      child.kill('SIGKILL')
      onLost(child)
      reject(Object.assign(unavailable(), { cause }))
    }
    const deadline = setTimeout(lose, startMilliseconds).unref()
    child.once('message', () => {
      clearTimeout(deadline)
      child.off('error', lose).channel?.unref()
      resolve()
    })
    child.once('exit', () => lose())
    // A process that the system refuses, for want of files or memory, has no exit.
    child.once('error', lose)
  })
  // Without a listener, an error would end the service; once it runs, the exit is what counts.
  child.on('error', () => undefined)
  child.unref()
  return { child, ready }
}

function forked(niceness: number): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts')
  const file = new URL(isSource ? './picture_process.ts' : './picture_process.js', import.meta.url)
  try {
    return fork(fileURLToPath(file), [String(niceness)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
      // From source it needs a loader.
      execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],
    })
  } catch (cause) {
    // Some refusals of the system are thrown.
    throw Object.assign(unavailable(), { cause })
  }
}
