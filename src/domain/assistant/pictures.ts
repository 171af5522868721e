import type { Picture } from '../../adapters/language_model.ts'
import { decodeBase64 } from '../../core/base64.ts'
import { invalidInput } from '../../core/errors.ts'
import { checkPicture, requirePicture } from '../media/images.ts'
import type { PictureTurn } from '../media/picture_lane.ts'

/** A picture of a chat that has been read and not decoded yet. */
export interface ReadPicture {
  bytes: Buffer
  claimedType: string | undefined
  field: string
}

/** Reads the picture in a field of a chat (base64 or a data URL); refuses what is none. */
export async function readPicture(text: string, field: string): Promise<ReadPicture> {
  const comma = text.indexOf(',')
  const claimedType = comma < 0 ? undefined : text.slice('data:'.length, text.indexOf(';'))
  const bytes = decodeBase64(text.slice(comma + 1))
  if (bytes === undefined) throw invalidInput({ [field]: 'base64Invalid' })
  await requirePicture(bytes, claimedType, field)
  return { bytes, claimedType, field }
}

export async function readPictures(
  texts: readonly string[],
  field: string,
): Promise<ReadPicture[]> {
  return Promise.all(texts.map((text, index) => readPicture(text, `${field}.${index}`)))
}

/**
 * Decodes a picture and strips its metadata: a model must not learn where it was taken. It stays in
 * memory only. Decoding is dear, so a call is admitted and paid for by then.
 */
export async function pictureOf(
  { bytes, claimedType, field }: ReadPicture,
  turn?: PictureTurn,
): Promise<Picture> {
  const checked = await checkPicture(bytes, claimedType, field, turn)
  return { bytes: checked.bytes, mimeType: checked.mimeType }
}

/** Decodes the pictures of a list, one at a time. */
export async function picturesOf(
  read: readonly ReadPicture[],
  turn?: PictureTurn,
): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (const picture of read) pictures.push(await pictureOf(picture, turn))
  return pictures
}
