import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { S3Settings } from '../core/config.ts'
import { unavailable } from '../core/errors.ts'

/** Where the bytes of media live. A key names its content, so that a stored one never changes. */
export interface MediaStore {
  /** Stores the bytes; a key that is there already has the same ones. */
  put(key: string, bytes: Buffer, mimeType: string): Promise<void>
  /** How many bytes are stored; undefined where there are none. */
  size(key: string): Promise<number | undefined>
  /** The bytes, or those from `start` to `end`, both of them included; `size` counts all. */
  read(key: string, range?: ByteRange): Promise<{ stream: Readable; size: number } | undefined>
  /** Removes the bytes; there need be none. */
  delete(key: string): Promise<void>
  /** Everything that is stored, and what an interrupted write has left. */
  list(): AsyncIterable<{ key: string; modifiedAt: Date }>
}

export interface ByteRange {
  start: number
  end: number
}

/** Beside the media stands the name of the environment that they belong to. */
const environmentKey = 'environment'
/** Where a file is written before it takes its place. */
const unfinishedFolder = 'unfinished'

const mediaKey = /^\w{1,160}\/[0-9a-f]{64}\.[a-z]{3,4}$/
const unfinishedKey = /^unfinished\/[0-9a-f-]{36}$/

function isListed(key: string): boolean {
  return mediaKey.test(key) || unfinishedKey.test(key)
}

/** No key leaves the folder or bucket, whoever made it. */
function requireKey(key: string): string {
  if (isListed(key) || key === environmentKey) return key
  throw new Error('This is no key of a media store.')
}

export function diskMediaStore(folder: string): MediaStore {
  const pathOf = (key: string) => join(folder, requireKey(key))
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const unfinished = pathOf(`${unfinishedFolder}/${randomUUID()}`)
      await mkdir(dirname(unfinished), { recursive: true })
      await mkdir(dirname(path), { recursive: true })
      const file = await open(unfinished, 'wx')
      try {
        await file.writeFile(bytes)
        // Without this the name could outlive a power cut and the content not.
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(unfinished, path)
      await syncFolder(dirname(path))
    },
    size: async (key) => (await present(stat(pathOf(key))))?.size,
    async read(key, range) {
      const file = await present(open(pathOf(key)))
      if (!file) return undefined
      const { size } = await file.stat()
      return { stream: file.createReadStream({ ...range }), size }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async *list() {
      const entries = await present(opendir(folder, { recursive: true }))
      if (!entries) return
      for await (const entry of entries) {
        const key = join(entry.parentPath, entry.name).slice(join(folder, '/').length)
        if (!entry.isFile() || !isListed(key)) continue
        // It may have gone since its name was read.
        const found = await present(stat(pathOf(key)))
        if (found) yield { key, modifiedAt: found.mtime }
      }
    },
  }
}

async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined
  try {
    folder = await open(path)
    await folder.sync()
  } catch (error) {
    // Windows opens no folders; there the file's own flush has to do.
    if (!['EISDIR', 'EPERM', 'EACCES'].includes(codeOf(error))) throw error
  } finally {
    await folder?.close()
  }
}

async function present<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}

/** Long enough for the largest file on a slow line; a request must end in an answer. */
const s3Milliseconds = 30_000

/** Any store that speaks S3, addressed by path, which all of them understand. */
export function s3MediaStore({ endpoint, bucket, ...credentials }: S3Settings): MediaStore {
  const root = `${endpoint.replace(/\/$/, '')}/${bucket}`
  const urlOf = (key: string) => `${root}/${requireKey(key)}`
  const connecting = async () => {
    const { AwsClient } = await import('aws4fetch')
    return new AwsClient({ ...credentials, service: 's3', retries: 2 })
  }
  let client: ReturnType<typeof connecting> | undefined

  /** The answer, where it is one of those that are expected. */
  async function send(url: string, expected: number[], init: RequestInit = {}): Promise<Response> {
    client ??= connecting()
    const signal = AbortSignal.timeout(s3Milliseconds)
    let response: Response
    try {
      response = await (await client).fetch(url, { ...init, signal })
    } catch (cause) {
      throw Object.assign(unavailable(), { cause })
    }
    if (expected.includes(response.status)) return response
    const cause = new Error(`The media store answered ${response.status}.`)
    await response.body?.cancel()
    throw Object.assign(unavailable(), { cause })
  }

  return {
    async put(key, bytes, mimeType) {
      const headers = {
        'Content-Type': mimeType,
        // Signed with the rest, so that the store refuses bytes that were changed on the way.
        'X-Amz-Content-Sha256': createHash('sha256').update(bytes).digest('hex'),
      }
      const response = await send(urlOf(key), [200], { method: 'PUT', headers, body: bytes })
      await response.body?.cancel()
    },
    async size(key) {
      const { status, headers } = await send(urlOf(key), [200, 404], { method: 'HEAD' })
      return status === 404 ? undefined : Number(headers.get('content-length'))
    },
    async read(key, range) {
      const headers: Record<string, string> = range
        ? { Range: `bytes=${range.start}-${range.end}` }
        : {}
      const response = await send(urlOf(key), [200, 206, 404], { headers })
      if (response.status === 404 || !response.body) {
        await response.body?.cancel()
        return undefined
      }
      const whole = response.headers.get('content-range')?.split('/')[1]
      const size = Number(whole ?? response.headers.get('content-length'))
      return { stream: Readable.fromWeb(response.body), size }
    },
    async delete(key) {
      const response = await send(urlOf(key), [200, 204, 404], { method: 'DELETE' })
      await response.body?.cancel()
    },
    async *list() {
      let token: string | undefined
      do {
        const query = new URLSearchParams({ 'list-type': '2' })
        if (token) query.set('continuation-token', token)
        const page = await (await send(`${root}?${query.toString()}`, [200])).text()
        for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const key = textOf(entry, 'Key')
          if (key && isListed(key))
            yield { key, modifiedAt: new Date(textOf(entry, 'LastModified') ?? 0) }
        }
        token = textOf(page, 'NextContinuationToken')
      } while (token)
    },
  }
}

/** The keys that are ours, and tokens, hold no character but `&` that XML writes another way. */
function textOf(xml: string, element: string): string | undefined {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)
  return found?.[1]?.replaceAll('&amp;', '&')
}

/**
 * Stamps an empty store with the environment and refuses one of the other: production's media are
 * never shown, swept or overwritten by a development service that was given its settings.
 */
export async function requireStoreEnvironment(
  store: MediaStore,
  environment: string,
): Promise<void> {
  const found = await store.read(environmentKey)
  if (!found) return store.put(environmentKey, Buffer.from(environment), 'text/plain')
  const stamped = Buffer.concat((await found.stream.toArray()) as Buffer[]).toString()
  if (stamped !== environment)
    throw new Error(`The media store belongs to ${stamped}, and this service to ${environment}.`)
}
