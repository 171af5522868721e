import type { Picture } from '../../adapters/language_model.ts'
import { decodeBase64 } from '../../core/base64.ts'
import { invalidInput } from '../../core/errors.ts'
import { checkPicture } from '../media/images.ts'

/**
 * Decodes the picture in a field of a chat (base64 or a data URL) and strips its metadata: a model
 * must not learn where it was taken. It stays in memory only.
 */
export async function pictureOf(text: string, field: string): Promise<Picture> {
  const comma = text.indexOf(',')
  const claimedType = comma < 0 ? undefined : text.slice('data:'.length, text.indexOf(';'))
  const bytes = decodeBase64(text.slice(comma + 1))
  if (bytes === undefined) throw invalidInput({ [field]: 'base64Invalid' })
  const checked = await checkPicture(bytes, claimedType, field)
  return { bytes: checked.bytes, mimeType: checked.mimeType }
}

/** Decodes the pictures of a list, one at a time. */
export async function picturesOf(texts: readonly string[], field: string): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (const [index, text] of texts.entries())
    pictures.push(await pictureOf(text, `${field}.${index}`))
  return pictures
}
