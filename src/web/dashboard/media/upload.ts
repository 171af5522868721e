import { useContext, useRef, useState } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import type { paths } from '../../../generated/types.ts'
import { Failure, failureOf, isSessionOver, type Schemas, signInAgain } from '../../api.ts'
import { wholeFailureText } from '../../kit/shell/failures.ts'
import { PendingContext } from '../../kit/forms/pending.ts'
import { asFailure } from '../../kit/shell/use_load.ts'
import { language } from '../../language.ts'
import { fitting, Unfit } from './fitting.ts'

type Media = Schemas['Media']

/** Uploads one file; reports progress from 0 to 1. */
interface Uploader {
  /** The largest file that the service takes; larger pictures are made smaller. */
  maxBytes: number
  send: (file: File, onProgress: (fraction: number) => void) => Promise<Media>
}

const uploadPath: keyof paths = '/v1/workspaces/{workspaceId}/media/upload'
const mediaPath: keyof paths = '/v1/workspaces/{workspaceId}/media/{id}'

/** Adds a new picture to the library. */
export function libraryUploader(workspaceId: string): Uploader {
  return {
    maxBytes: limits.MediaFiles.files.items.maxLength,
    send: async (file, onProgress) => {
      const form = new FormData()
      form.append('files', file)
      const path = uploadPath.replace('{workspaceId}', encodeURIComponent(workspaceId))
      const { media } = await send<Schemas['UploadedMedia']>('POST', path, form, onProgress)
      return media[0] ?? Promise.reject(new Error('The answer holds no picture.'))
    },
  }
}

/** Replaces the bytes of a picture, sent as base64 in JSON. */
export function replacementUploader(workspaceId: string, id: string): Uploader {
  return {
    // Four characters of base64 hold three bytes.
    maxBytes: Math.floor((limits.MediaUpload.base64.maxLength * 3) / 4),
    send: async (file, onProgress) => {
      const body = new Blob([JSON.stringify(await replacementBody(file))], {
        type: 'application/json',
      })
      const path = mediaPath
        .replace('{workspaceId}', encodeURIComponent(workspaceId))
        .replace('{id}', encodeURIComponent(id))
      return send<Media>('PUT', path, body, onProgress)
    },
  }
}

/** Body of a replacement. The service detects the type from the bytes. */
async function replacementBody(file: File): Promise<Schemas['MediaUpload']> {
  const mimeType = file.type as Schemas['MimeType']
  return { fileName: file.name, mimeType, base64: await base64Of(file) }
}

/** A file's bytes, for a JSON body. */
export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(binary)
}

/** Sends the body; after a sign-in that the session's end made necessary, once more. */
export async function send<T>(
  method: 'POST' | 'PUT',
  path: string,
  body: FormData | Blob,
  onProgress: (fraction: number) => void,
): Promise<T> {
  const first = await transfer(method, path, body, onProgress)
  const isOver = isSessionOver(first, first.answer) && (await signInAgain())
  const { status, answer, retryAfter } = isOver
    ? await transfer(method, path, body, onProgress)
    : first
  if (status !== 200) throw failureOf({ status }, answer, retryAfter)
  return answer as T
}

interface Transferred {
  status: number
  url: string
  answer: unknown
  retryAfter: string | null
}

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
function transfer(
  method: 'POST' | 'PUT',
  path: string,
  body: FormData | Blob,
  onProgress: (fraction: number) => void,
): Promise<Transferred> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    request.setRequestHeader('Accept-Language', language())
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(1, total))
    request.onerror = () =>
      reject(new Failure({ status: 0, code: 'offline', message: 'The connection was lost.' }))
    request.onload = () =>
      resolve({
        status: request.status,
        url: request.responseURL,
        answer: parseJson(request.responseText),
        retryAfter: request.getResponseHeader('Retry-After'),
      })
    request.send(body)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface RunningUpload {
  id: number
  name: string
  /** From 0 to 1. */
  progress: number
  /** Reason for the failure. */
  fault?: string
}

let counter = 0

/** Uploads files one at a time; each shows its progress until it is done. */
export function useUploads(uploader: Uploader, onUploaded: (media: Media) => void) {
  const [uploads, setUploads] = useState<RunningUpload[]>([])
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const pending = useContext(PendingContext)
  const callback = useRef(onUploaded)
  callback.current = onUploaded
  const update = (id: number, change: Partial<RunningUpload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)))
  const dismiss = (id: number) => setUploads((all) => all.filter((one) => one.id !== id))

  const sendOne = async (id: number, file: File) => {
    try {
      const fit = await fitting(file, uploader.maxBytes)
      const media = await uploader.send(fit, (progress) => update(id, { progress }))
      dismiss(id)
      callback.current(media)
      return true
    } catch (error) {
      const fault = error instanceof Unfit ? error.message : wholeFailureText(asFailure(error))
      update(id, { fault })
      return false
    }
  }
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      const id = ++counter
      setUploads((all) => [...all, { id, name: file.name, progress: 0 }])
      const work = queue.current.then(() => sendOne(id, file))
      pending?.track(work)
      queue.current = work
    }
  }
  return { uploads, add, dismiss }
}
