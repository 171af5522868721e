import { texts } from '../../language.ts'

/** What the service takes of a picture. */
const maxPixels = 40_000_000
/** Smaller files are sent as they are: hardly any of them has too many pixels. */
const bytesToLookAt = 100_000
/** How often a picture is made smaller before it is given up. */
const maxSteps = 4

/** A picture that cannot be sent, and why. */
export class Unfit extends Error {}

const isHeic = ({ name, type }: File) => /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)

/**
 * The file as the service takes it: a picture that is too large is made smaller here, before its bytes
 * travel, and one of a phone's own kind becomes a JPEG where the browser can read it.
 */
export async function fitting(file: File, maxBytes: number): Promise<File> {
  const [t, megabytes] = [texts('kit'), maxBytes / 1024 / 1024]
  const isForeign = isHeic(file)
  if (!isForeign && file.size < Math.min(bytesToLookAt, maxBytes)) return file
  // Frames would be lost.
  const isStill = file.type !== 'image/gif'
  const bitmap = isStill ? await createImageBitmap(file).catch(() => undefined) : undefined
  if (!bitmap) {
    if (isForeign) throw new Unfit(t('heicUnread'))
    if (file.size > maxBytes) throw new Unfit(t('fileTooLarge', { megabytes }))
    return file
  }
  try {
    const pixels = bitmap.width * bitmap.height
    if (!isForeign && pixels <= maxPixels && file.size <= maxBytes) return file
    const smaller = await shrink(bitmap, Math.min(1, Math.sqrt(maxPixels / pixels)), file, maxBytes)
    if (!smaller) throw new Unfit(t('fileTooLarge', { megabytes }))
    return smaller
  } finally {
    bitmap.close()
  }
}

/** The picture at that scale, or at a smaller one if it still has too many bytes. */
async function shrink(
  bitmap: ImageBitmap,
  scale: number,
  file: File,
  maxBytes: number,
): Promise<File | undefined> {
  // Keep transparency, which JPEG does not have.
  const type = file.type === 'image/png' || file.type === 'image/webp' ? 'image/webp' : 'image/jpeg'
  const name = file.name.replace(/\.[^.]*$/, type === 'image/webp' ? '.webp' : '.jpg')
  for (let step = 0; step < maxSteps; step++) {
    const part = scale * 0.7 ** step
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.floor(bitmap.width * part)),
      Math.max(1, Math.floor(bitmap.height * part)),
    )
    const context = canvas.getContext('2d')
    if (!context) return undefined
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const blob = await canvas.convertToBlob({ type, quality: 0.88 })
    if (blob.size <= maxBytes) return new File([blob], name, { type: blob.type })
  }
  return undefined
}
