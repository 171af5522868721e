import { setPriority } from 'node:os'
import { UnfitImage } from './image_containers.ts'
import type { PictureAnswer, PictureTask } from './picture_decoder.ts'
import { filesOf, loadSharp, workOn } from './picture_work.ts'

/*
 * A process that decodes pictures, one at a time. It can be ended in the middle of one, which a
 * thread cannot while a decoder runs in it, and a decoder that crashes takes nothing else along.
 */

async function outcomeOf({
  bytes,
  mimeType,
  purpose,
}: PictureTask): Promise<PictureAnswer['outcome']> {
  try {
    const picture = Buffer.from(bytes)
    if (purpose === 'files' || purpose === 'share')
      return { made: await filesOf(picture, mimeType, purpose) }
    return { image: await workOn(picture, mimeType, purpose) }
  } catch (error) {
    if (error instanceof UnfitImage) return { unfit: error.reason }
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function answerTo(task: PictureTask): Promise<PictureAnswer> {
  const before = process.cpuUsage()
  const outcome = await outcomeOf(task)
  const { user, system } = process.cpuUsage(before)
  return { outcome, milliseconds: (user + system) / 1000 }
}

// Loaded now: it is no part of what a picture costs.
await loadSharp()
// Calls come first: the client that sent a picture waits anyway.
setPriority(Number(process.argv[2]))
process.on('message', (task: PictureTask) => {
  void answerTo(task).then((answer) => process.send?.(answer))
})
process.send?.('ready')
// The service has ended, however it did.
process.on('disconnect', () => process.exit())
