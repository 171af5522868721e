import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { unavailable } from '../../core/errors.ts'
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
  /** The client has left: nobody waits for the picture any more. */
  signal?: AbortSignal
  /** Refuses a caller who has lost access while waiting. */
  begin?: () => Promise<void>
}

export function turnOf(caller: {
  accountId?: string
  signal: AbortSignal
  reauthorise: () => Promise<void>
}): Turn {
  const { accountId = '', signal } = caller
  return { account: accountId, signal, begin: () => caller.reauthorise() }
}

export type Decode = (bytes: Buffer, mimeType: ImageType, purpose: Purpose) => Promise<CheckedImage>
type Job = () => Promise<void>

/** Every waiting call holds its bytes, in memory or on disk. */
const maxWaitingOfAccount = 32
const maxWaiting = 256
/** No decent picture takes so long, even on a small machine. */
const maxSeconds = 20
const idleMilliseconds = minute

/** The waiting pictures of each account; accounts take turns. */
const waiting = new Map<string, Job[]>()
/** The account whose picture is being decoded. */
let current: string | undefined

/**
 * A decoded image is many times the size of its file, so a process decodes one at a time. Accounts
 * take turns, so that one with many pictures delays another by one picture at most.
 */
export async function inTurn<T>(turn: Turn, work: (decode: Decode) => Promise<T>): Promise<T> {
  const { account, signal } = turn
  const line = waiting.get(account) ?? []
  const total = [...waiting.values()].reduce((sum, { length }) => sum + length, 0)
  const own = line.length + (current === account ? 1 : 0)
  if (own >= maxWaitingOfAccount || total >= maxWaiting) throw unavailable()
  return new Promise<T>((resolve, reject) => {
    const job: Job = async () => {
      signal?.removeEventListener('abort', leave)
      try {
        await turn.begin?.()
        resolve(await work((...task) => decode(task, signal)))
      } catch (error) {
        const refusal = error as Error
        reject(refusal)
      }
    }
    const leave = () => {
      const place = line.indexOf(job)
      if (place >= 0) line.splice(place, 1)
      reject(unavailable())
    }
    if (signal?.aborted) return reject(unavailable())
    signal?.addEventListener('abort', leave, { once: true })
    line.push(job)
    waiting.set(account, line)
    if (current === undefined) void runAll()
  })
}

async function runAll(): Promise<void> {
  for (let job = next(); job; job = next()) await job()
  current = undefined
}

/** The next job of the account that has waited longest since its last one. */
function next(): Job | undefined {
  for (const [account, line] of waiting) {
    // Behind the others, for its next turn.
    waiting.delete(account)
    const job = line.shift()
    if (line.length > 0) waiting.set(account, line)
    if (!job) continue
    current = account
    return job
  }
  return undefined
}

let decoder: ChildProcess | undefined
let idle: NodeJS.Timeout | undefined

/** Ends the idle process; the next picture starts another. */
export function endDecoder(): void {
  decoder?.kill('SIGKILL')
  decoder = undefined
}

async function decode(
  [bytes, mimeType, purpose]: Parameters<Decode>,
  signal: AbortSignal | undefined,
): Promise<CheckedImage> {
  if (signal?.aborted) throw unavailable()
  clearTimeout(idle)
  decoder ??= startDecoder()
  const answer = await ask(decoder, { bytes, mimeType, purpose }, signal)
  idle = setTimeout(endDecoder, idleMilliseconds).unref()
  if ('unfit' in answer) throw new UnfitImage(answer.unfit)
  if ('failure' in answer) throw new Error(`A picture was not decoded: ${answer.failure}`)
  return { ...answer.image, bytes: Buffer.from(answer.image.bytes) }
}

/** Sends a picture; settles on the answer, the end of the process, the deadline or the abort. */
function ask(
  child: ChildProcess,
  task: PictureTask,
  signal: AbortSignal | undefined,
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
    const deadline = setTimeout(() => stop(new UnfitImage('imageTooSlow')), maxSeconds * 1000)
    child.once('message', onAnswer).once('exit', onExit)
    signal?.addEventListener('abort', onAbort, { once: true })
    child.channel?.ref()
    child.send(task, (error) => error && onExit())
  })
}

function startDecoder(): ChildProcess {
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
  child.once('exit', () => {
    if (decoder === child) decoder = undefined
  })
  child.unref()
  child.channel?.unref()
  return child
}
