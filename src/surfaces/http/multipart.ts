import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile as readFromDisk, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import type { Holding } from '../../fairness/budget.ts'
import { ApiError, invalidInput, unavailable } from '../../core/errors.ts'
import { showsNothing } from '../../core/text.ts'
import { isDiskFault } from '../../adapters/disk_faults.ts'
import { limits as contractLimits } from '../../generated/limits.ts'
import type { operations } from '../../generated/operations.ts'
import type { ReceivedFile } from '../../operation.ts'

type OperationTable = typeof operations
/** Operations whose body has files. */
export type FormOperation = {
  [Id in keyof OperationTable]: OperationTable[Id]['body'] extends 'multipart' ? Id : never
}[keyof OperationTable]

/** The fields of an operation's multipart body. */
export interface MultipartForm {
  /** The field of the files. */
  field: string
  isList: boolean
  files: number
  bytesPerFile: number
  /** Fields that are texts. */
  texts: readonly string[]
}

const { MediaFiles, ChangeSetFile } = contractLimits

export const forms: Record<FormOperation, MultipartForm> = {
  upload_media_files: {
    field: 'files',
    isList: true,
    files: MediaFiles.files.maxItems,
    bytesPerFile: MediaFiles.files.items.maxLength,
    texts: [],
  },
  upload_change_set_file: {
    field: 'file',
    isList: false,
    files: 1,
    bytesPerFile: ChangeSetFile.file.maxLength,
    texts: ['format'],
  },
}

/** A form that was read: its files, and its body with their fingerprints in their place. */
export interface ReceivedForm {
  files: ReceivedFile[]
  body: Record<string, unknown>
}

/** A generous allowance for the headers and boundaries around a file. */
const bytesAround = 8 * 1024
const maxFileName = contractLimits.MediaUpload.fileName.maxLength

/** Where files wait until their call has ended, and the budget of disk space they use. */
export interface UploadSpace {
  folder: string
  holding: Holding
}

/**
 * Reads a multipart body, with its files to disk: all or none are kept. Stops at the first error; the rest
 * of the body is not read.
 */
export async function readForm(
  request: IncomingMessage,
  space: UploadSpace,
  form: MultipartForm,
): Promise<ReceivedForm> {
  requireMultipart(request)
  const maxBytes = form.files * (form.bytesPerFile + bytesAround)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes)
    throw new ApiError('payload_too_large', ['bodyTooLarge', { limit: maxBytes }])

  const parser = createParser(request, form)
  await mkdir(space.folder, { recursive: true })
  const files: Promise<ReceivedFile>[] = []
  const texts: Record<string, string> = {}
  try {
    await receive(request, parser, { files, texts }, { space, form, maxBytes })
    const received = await Promise.all(files)
    const fingerprints = received.map(({ fingerprint }) => fingerprint)
    const sent = form.isList ? fingerprints : fingerprints[0]
    return { files: received, body: { [form.field]: sent, ...texts } }
  } catch (error) {
    const received = await Promise.allSettled(files)
    for (const file of received) if (file.status === 'fulfilled') await file.value.discard()
    throw error
  }
}

function receive(
  request: IncomingMessage,
  parser: Parser,
  { files, texts }: { files: Promise<ReceivedFile>[]; texts: Record<string, string> },
  { space, form, maxBytes }: { space: UploadSpace; form: MultipartForm; maxBytes: number },
): Promise<void> {
  const { field } = form
  return new Promise((resolve, reject) => {
    const streams: BusboyFileStream[] = []
    let size = 0
    let concluded = false
    const conclude = (finish: () => void) => {
      if (concluded) return
      concluded = true
      request.unpipe(parser)
      request.off('data', count).off('close', onClose).off('error', onClose)
      finish()
    }
    const fail = (error: Error) =>
      conclude(() => {
        // Also end files that are being written.
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
      const place = form.isList ? `${field}.${files.length}` : field
      // Without a listener, an error of a stream that the handler does not read would crash the process.
      streams.push(stream.on('error', () => undefined))
      const file = readFile(place, name, stream, { fileName, mimeType }, { space, form })
      files.push(file)
      file.catch((error: unknown) => fail(error as Error))
    })
    parser.on('field', (name, value) => {
      if (form.texts.includes(name)) texts[name] = value
      else fail(isFile(form, name) ? invalidInput({ [field]: 'mustBeFile' }) : unknownField(name))
    })
    parser.on('filesLimit', () =>
      fail(invalidInput({ [field]: ['filesMax', { count: form.files }] })),
    )
    parser.on('partsLimit', () => fail(invalidInput({ body: 'partsMax' })))
    parser.on('error', () => fail(malformed()))
    parser.on('finish', () => {
      if (files.length === 0) return fail(invalidInput({ [field]: 'required' }))
      conclude(resolve)
    })
    request.on('data', count).on('close', onClose).on('error', onClose)
    request.pipe(parser)
  })
}

/** Some clients write the name of a list with brackets. */
function isFile({ field, isList }: MultipartForm, name: string): boolean {
  return name === field || (isList && name === `${field}[]`)
}

function requireMultipart({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*(;|$)/i.test(type))
    throw new ApiError('unsupported_media_type', 'multipartExpected')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', 'contentEncoding')
}

type Parser = ReturnType<typeof createParser>

function createParser({ headers }: IncomingMessage, { files, bytesPerFile, texts }: MultipartForm) {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        files,
        // One more than the limit: the parser already complains when a file reaches the limit
        // exactly.
        fileSize: bytesPerFile + 1,
        fields: texts.length + 1,
        parts: files + texts.length + 1,
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
  { space, form }: { space: UploadSpace; form: MultipartForm },
): Promise<ReceivedFile> {
  const { bytesPerFile } = form
  if (!isFile(form, name)) throw unknownField(name)
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
    if (size > bytesPerFile)
      throw new ApiError('payload_too_large', 'fileTooLarge', {
        [place]: ['bytesMax', { limit: bytesPerFile }],
      })
  } catch (error) {
    await discard()
    throw refusalOf(error)
  }
  const fingerprint = `${fileName} ${mimeType} ${digest.digest('hex')}`
  const open = () => createReadStream(path)
  return { fileName, mimeType, fingerprint, discard, read: () => readFromDisk(path), open }
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
