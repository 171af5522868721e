import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import { ApiError, invalidInput } from '../../core/errors.ts'
import { showsNothing } from '../../core/text.ts'
import { limits as contractLimits } from '../../generated/limits.ts'
import type { Upload } from '../../operation.ts'

export interface UploadLimits {
  files: number
  bytesPerFile: number
}

export const uploadLimits: UploadLimits = {
  files: contractLimits.MediaFiles.files.maxItems,
  bytesPerFile: contractLimits.MediaFiles.files.items.maxLength,
}

const field = 'files'
/** A generous allowance for the headers and boundaries around a file. */
const bytesAround = 8 * 1024
const maxFileName = contractLimits.MediaUpload.fileName.maxLength

/**
 * Reads the files of a multipart body into memory: all or none are taken. Stops at the first error;
 * the rest of the body is not read.
 */
export function readFiles(
  request: IncomingMessage,
  limits: UploadLimits = uploadLimits,
): Promise<Upload[]> {
  requireMultipart(request)
  const maxBytes = limits.files * (limits.bytesPerFile + bytesAround)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes)
    throw new ApiError('payload_too_large', ['bodyTooLarge', { limit: maxBytes }])

  return new Promise((resolve, reject) => {
    const parser = createParser(request, limits)
    const files: Promise<Upload>[] = []
    let size = 0
    let settled = false
    const settle = (finish: () => void) => {
      if (settled) return
      settled = true
      request.unpipe(parser)
      request.off('data', count).off('close', onClose).off('error', onClose)
      finish()
    }
    const fail = (error: ApiError) => settle(() => reject(error))
    const count = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes)
        fail(new ApiError('payload_too_large', ['bodyTooLarge', { limit: maxBytes }]))
    }
    const onClose = () => {
      // If the whole body has arrived, the parser may still be working: let it decide.
      if (!request.complete) fail(invalidInput({ body: 'bodyCutOff' }))
    }

    parser.on('file', (name, stream, fileName, _encoding, mimeType) => {
      const place = `${field}.${files.length}`
      const file = readFile(place, name, stream, { fileName, mimeType }, limits)
      files.push(file)
      file.catch(fail)
    })
    parser.on('field', (name) => fail(unknownField(name)))
    parser.on('filesLimit', () =>
      fail(invalidInput({ [field]: ['filesMax', { count: limits.files }] })),
    )
    parser.on('partsLimit', () => fail(invalidInput({ body: 'partsMax' })))
    parser.on('error', () => fail(malformed()))
    parser.on('finish', () => {
      if (files.length === 0) return fail(invalidInput({ [field]: 'required' }))
      settle(() => resolve(Promise.all(files)))
    })
    request.on('data', count).on('close', onClose).on('error', onClose)
    request.pipe(parser)
  })
}

function requireMultipart({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*(;|$)/i.test(type))
    throw new ApiError('unsupported_media_type', 'multipartExpected')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', 'contentEncoding')
}

function createParser({ headers }: IncomingMessage, limits: UploadLimits) {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        files: limits.files,
        // One more than the limit: the parser already complains when a file reaches the limit
        // exactly.
        fileSize: limits.bytesPerFile + 1,
        fields: 1,
        parts: limits.files + 1,
        fieldSize: 1024,
        headerPairs: 20,
        headerSize: 4096,
      },
      // A part without a file name is a plain field, regardless of its type.
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    })
  } catch {
    throw invalidInput({ body: 'boundaryMissing' })
  }
}

async function readFile(
  place: string,
  name: string,
  stream: BusboyFileStream,
  { fileName, mimeType }: { fileName: string; mimeType: string },
  limits: UploadLimits,
): Promise<Upload> {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= limits.bytesPerFile) chunks.push(chunk)
  })
  const whole = new Promise<boolean>((resolve) => {
    stream.once('limit', () => resolve(true)).once('end', () => resolve(true))
    stream.once('error', () => resolve(false))
  })
  if (name !== field) throw unknownField(name)
  requireFileName(place, fileName)
  if (!(await whole)) throw malformed()
  if (size > limits.bytesPerFile)
    throw new ApiError('payload_too_large', 'fileTooLarge', {
      [place]: ['bytesMax', { limit: limits.bytesPerFile }],
    })
  return { fileName, mimeType, bytes: Buffer.concat(chunks, size) }
}

function malformed(): ApiError {
  return invalidInput({ body: 'multipartMalformed' })
}

function unknownField(name: string): ApiError {
  return invalidInput({ [name || 'body']: 'unknownField' })
}

/** The same bounds as for names in JSON bodies. The parser has already removed any folder. */
function requireFileName(place: string, fileName: string): void {
  const length = [...fileName].length
  if (length === 0) throw invalidInput({ [place]: 'fileNameMissing' })
  if (showsNothing(fileName)) throw invalidInput({ [place]: 'showsNothing' })
  if (length > maxFileName) throw invalidInput({ [place]: ['fileNameMax', { limit: maxFileName }] })
  if (/[\p{Cc}\ufffd]/u.test(fileName)) throw invalidInput({ [place]: 'fileNameUnstorable' })
}
