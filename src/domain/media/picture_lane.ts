import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../core/config.ts'
import { unavailable } from '../../core/errors.ts'
import { createLane } from '../../core/lane.ts'
import { minute } from '../../core/time.ts'
import type { Reason } from '../../texts/refusals.ts'
import { UnfitImage } from './image_containers.ts'
import type { CheckedImage, ImageType } from './image_types.ts'
import type { Purpose } from './picture_work.ts'

export interface PictureTask {
  bytes: Uint8Array
  mimeType: ImageType
  purpose: Purpose
}
export type PictureAnswer = { image: CheckedImage } | { unfit: Reason } | { failure: string }

/** Whose turn it is, and what ends it early. */
export interface Turn {
  account: string
  /** How long the decoder may take. */
  seconds?: number
  /** Aborted when the client has left, and the picture is not needed any more. */
  signal?: AbortSignal
  /** Refuses a caller who has lost access while waiting. */
  begin?: () => Promise<void>
}

/** The turn of a call. It ends with the call's client, and with `until`. */
export function turnOf(
  caller: {
    accountId?: string
    config: Pick<Config, 'pictureSeconds'>
    signal: AbortSignal
    reauthorise: () => Promise<void>
  },
  until?: AbortSignal,
): Turn {
  const { accountId = '', config } = caller
  const signal = until ? AbortSignal.any([until, caller.signal]) : caller.signal
  return {
    account: accountId,
    seconds: config.pictureSeconds,
    signal,
    begin: () => caller.reauthorise(),
  }
}

export type Decode = (bytes: Buffer, mimeType: ImageType, purpose: Purpose) => Promise<CheckedImage>
/** Every waiting call holds its bytes, in memory or on disk. */
const lane = createLane({ maxOfHolder: 32, maxWaiting: 256 })
/** For the service's own pictures. */
const defaultSeconds = 60
const idleMilliseconds = minute
const startMilliseconds = minute

/**
 * A decoded image is many times the size of its file, so a process decodes one at a time. Accounts
 * take turns, so that one with many pictures delays another by one picture at most.
 */
export function inTurn<T>(turn: Turn, work: (decode: Decode) => Promise<T>): Promise<T> {
  const { account, signal } = turn
  const begun = async () => {
    await turn.begin?.()
    return work((...task) => decode(task, turn))
  }
  return lane.inTurn(account, begun, signal)
}

interface Decoder {
  child: ChildProcess
  /** Its start is not a part of any picture's time. */
  ready: Promise<void>
}

let decoder: Decoder | undefined
let idle: NodeJS.Timeout | undefined

/** Ends the idle process; the next picture starts another. */
export function endDecoder(): void {
  decoder?.child.kill('SIGKILL')
  decoder = undefined
}

async function decode(
  [bytes, mimeType, purpose]: Parameters<Decode>,
  { signal, seconds = defaultSeconds }: Turn,
): Promise<CheckedImage> {
  if (signal?.aborted) throw unavailable()
  clearTimeout(idle)
  const answer = await answered({ bytes, mimeType, purpose }, { signal, seconds }).finally(() => {
    idle = setTimeout(endDecoder, idleMilliseconds).unref()
  })
  if ('unfit' in answer) throw new UnfitImage(answer.unfit)
  if ('failure' in answer) throw new Error(`A picture was not decoded: ${answer.failure}`)
  return { ...answer.image, bytes: Buffer.from(answer.image.bytes) }
}

interface Limits {
  signal: AbortSignal | undefined
  seconds: number
}

async function answered(task: PictureTask, limits: Limits): Promise<PictureAnswer> {
  const { child, ready } = (decoder ??= startDecoder())
  await ready
  if (limits.signal?.aborted) throw unavailable()
  return ask(child, task, limits)
}

/** Sends a picture; settles on the answer, the end of the process, the deadline or the abort. */
function ask(
  child: ChildProcess,
  task: PictureTask,
  { signal, seconds }: Limits,
): Promise<PictureAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(deadline)
      child.off('message', onAnswer).off('exit', onExit)
      signal?.removeEventListener('abort', onAbort)
      child.channel?.unref()
      finish()
    }
    const stop = (error: Error) =>
      settle(() => {
        endDecoder()
        reject(error)
      })
    const onAnswer = (answer: unknown) => settle(() => resolve(answer as PictureAnswer))
    // A picture that crashes the decoder is not one to keep.
    const onExit = () => stop(new UnfitImage('imageDamaged'))
    const onAbort = () => stop(unavailable())
    const deadline = setTimeout(() => stop(new UnfitImage('imageTooSlow')), seconds * 1000)
    child.once('message', onAnswer).once('exit', onExit)
    signal?.addEventListener('abort', onAbort, { once: true })
    child.channel?.ref()
    child.send(task, (error) => error && onExit())
  })
}

function startDecoder(): Decoder {
  const isSource = import.meta.url.endsWith('.ts')
  const file = new URL(isSource ? './picture_process.ts' : './picture_process.js', import.meta.url)
  const child = fork(fileURLToPath(file), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
    // From source it needs a loader.
    execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],
  })
  // Without a listener, an error would end the service; the exit is what counts.
  child.on('error', () => undefined)
  const ready = new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => child.kill('SIGKILL'), startMilliseconds).unref()
    child.once('message', () => {
      clearTimeout(deadline)
      child.channel?.unref()
      resolve()
    })
    child.once('exit', () => {
      if (decoder?.child === child) decoder = undefined
      reject(unavailable())
    })
  })
  child.unref()
  return { child, ready }
}
