import type { Picture } from '../../adapters/language_model.ts'
import { decodeBase64 } from '../../core/base64.ts'
import { invalidInput } from '../../core/errors.ts'
import { checkPicture } from '../media/images.ts'

/**
 * The picture in a field of a chat, base64 or a data URL, decoded and without its metadata: where
 * it was taken is no business of a model. It is held in memory alone.
 */
export async function pictureOf(text: string, field: string): Promise<Picture> {
  const comma = text.indexOf(',')
  const claimed = comma < 0 ? undefined : text.slice('data:'.length, text.indexOf(';'))
  const bytes = decodeBase64(text.slice(comma + 1))
  if (bytes === undefined) throw invalidInput({ [field]: 'Is not valid base64.' })
  const checked = await checkPicture(bytes, claimed, field)
  return { bytes: checked.bytes, mimeType: checked.mimeType }
}

/** The pictures of a list, one after the other. */
export async function picturesOf(texts: readonly string[], field: string): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (const [index, text] of texts.entries())
    pictures.push(await pictureOf(text, `${field}.${index}`))
  return pictures
}
