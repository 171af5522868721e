import { Told } from './answers.ts'

/** Larger ones show nothing more of a face, and take long to send. */
const longestSide = 1024

/**
 * A picture as a small JPEG in a data URL; drawn anew, so that where it was taken is not sent. Of one that the browser
 * cannot read, it says what to do.
 */
export async function smallPicture(file: File, unreadable: string): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Told(unreadable)
  })
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/jpeg', 0.9)
}
