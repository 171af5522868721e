import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile as readFromDisk, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import type { Holding } from '../../fairness/budget.ts'
import { ApiError, invalidInput, unavailable } from '../../core/errors.ts'
import { showsNothing } from '../../core/text.ts'
import { isDiskFault } from '../../core/disk_faults.ts'
import { limits as contractLimits } from '../../generated/limits.ts'
import type { ReceivedFile } from '../../operation.ts'

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

/** Where files wait until their call has ended, and the share of the disk that they take. */
export interface UploadSpace {
  folder: string
  holding: Holding
}

/**
 * Reads the files of a multipart body onto the disk: all or none are taken. Stops at the first
 * error; the rest of the body is not read.
 */
export async function readFiles(
  request: IncomingMessage,
  space: UploadSpace,
  limits: UploadLimits = uploadLimits,
): Promise<ReceivedFile[]> {
  requireMultipart(request)
  const maxBytes = limits.files * (limits.bytesPerFile + bytesAround)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes)
    throw new ApiError('payload_too_large', ['bodyTooLarge', { limit: maxBytes }])

  const parser = createParser(request, limits)
  await mkdir(space.folder, { recursive: true })
  const files: Promise<ReceivedFile>[] = []
  try {
    return await receive(request, parser, files, { space, limits, maxBytes })
  } catch (error) {
    const received = await Promise.allSettled(files)
    for (const file of received) if (file.status === 'fulfilled') await file.value.discard()
    throw error
  }
}

function receive(
  request: IncomingMessage,
  parser: Parser,
  files: Promise<ReceivedFile>[],
  { space, limits, maxBytes }: { space: UploadSpace; limits: UploadLimits; maxBytes: number },
): Promise<ReceivedFile[]> {
  return new Promise((resolve, reject) => {
    const streams: BusboyFileStream[] = []
    let size = 0
    let settled = false
    const settle = (finish: () => void) => {
      if (settled) return
      settled = true
      request.unpipe(parser)
      request.off('data', count).off('close', onClose).off('error', onClose)
      finish()
    }
    const fail = (error: Error) =>
      settle(() => {
        // What has begun to be written ends, too.
        for (const stream of streams) stream.destroy(error)
        reject(error)
      })
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
      // Without a listener, the end of a stream that the handler does not read would end the process.
      streams.push(stream.on('error', () => undefined))
      const file = readFile(place, name, stream, { fileName, mimeType }, { space, limits })
      files.push(file)
      file.catch((error: unknown) => fail(error as Error))
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

type Parser = ReturnType<typeof createParser>

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
  { space, limits }: { space: UploadSpace; limits: UploadLimits },
): Promise<ReceivedFile> {
  if (name !== field) throw unknownField(name)
  requireFileName(place, fileName)
  const path = join(space.folder, randomUUID())
  const discard = () => rm(path, { force: true })
  const digest = createHash('sha256')
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      digest.update(chunk)
      try {
        space.holding.take(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
  try {
    await pipeline(stream, measure, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    if (size > limits.bytesPerFile)
      throw new ApiError('payload_too_large', 'fileTooLarge', {
        [place]: ['bytesMax', { limit: limits.bytesPerFile }],
      })
  } catch (error) {
    await discard()
    throw refusalOf(error)
  }
  const fingerprint = `${fileName} ${mimeType} ${digest.digest('hex')}`
  return { fileName, mimeType, fingerprint, discard, read: () => readFromDisk(path) }
}

/** The parser reports a malformed part through its stream; a full disk is not the caller's fault. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (isDiskFault(error)) return Object.assign(unavailable(), { cause: error })
  return malformed()
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
