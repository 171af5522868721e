import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { S3Settings } from '../settings/config.ts'

/** Where a backup is written to. */
export interface BackupTarget {
  write(bytes: Buffer): Promise<void>
  /** Makes it appear under its name. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

/** A file appears under its name when it is whole, and only its owner may read it. */
export async function fileTarget(path: string): Promise<BackupTarget> {
  const draft = `${path}.part`
  const file: FileHandle = await open(draft, 'w', 0o600)
  return {
    write: (bytes) => file.writeFile(bytes),
    async finish() {
      await file.sync()
      await file.close()
      await rename(draft, path)
    },
    async abandon() {
      await file.close()
      await rm(draft, { force: true })
    },
  }
}

export const readBackupFile = (path: string): AsyncIterable<Buffer> =>
  createReadStream(path, { highWaterMark: 1024 * 1024 })

/** The bucket and key of `s3://bucket/key`; undefined for a path. */
export function placeInStore(target: string): { bucket: string; key: string } | undefined {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(target) ?? []
  return bucket && key ? { bucket, key } : undefined
}

/** Stores take parts of at least 5 MB and at most 10,000 of them: 160 GB. */
const partBytes = 16 * 1024 * 1024
const minutesOfPart = 10

interface BucketPlace {
  bucket: string
  key: string
}

async function openBucket(
  { endpoint, bucket: _media, ...credentials }: S3Settings,
  place: BucketPlace,
) {
  const { AwsClient } = await import('aws4fetch')
  const client = new AwsClient({ ...credentials, service: 's3' })
  const url = `${endpoint.replace(/\/$/, '')}/${place.bucket}/${place.key}`
  return async (method: string, query: string, body?: Buffer | string) => {
    const signal = AbortSignal.timeout(minutesOfPart * 60_000)
    // Signed with its hash, so that the store refuses bytes that were altered on the way.
    const sent = body
      ? {
          body,
          headers: { 'X-Amz-Content-Sha256': createHash('sha256').update(body).digest('hex') },
        }
      : {}
    const answer = await client.fetch(`${url}${query}`, { method, signal, ...sent })
    if (answer.ok) return answer
    throw new Error(`The store answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`)
  }
}

/** In parts, because its length is not known when it begins. */
export async function storeTarget(settings: S3Settings, place: BucketPlace): Promise<BackupTarget> {
  const ask = await openBucket(settings, place)
  const begun = await (await ask('POST', '?uploads=')).text()
  const id = encodeURIComponent(/<UploadId>([^<]+)</.exec(begun)?.[1] ?? '')
  const tags: string[] = []
  let [held, size]: [Buffer[], number] = [[], 0]

  async function send(): Promise<void> {
    const bytes = Buffer.concat(held)
    held = []
    size = 0
    const answer = await ask('PUT', `?partNumber=${tags.length + 1}&uploadId=${id}`, bytes)
    await answer.body?.cancel()
    tags.push(answer.headers.get('etag') ?? '')
  }

  return {
    async write(bytes) {
      held.push(bytes)
      size += bytes.length
      if (size >= partBytes) await send()
    },
    async finish() {
      if (size > 0) await send()
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const answer = await (await ask('POST', `?uploadId=${id}`, body)).text()
      // A store may find out after it has begun to answer.
      if (answer.includes('<Error>')) throw new Error(`The store refused: ${answer.slice(0, 200)}`)
    },
    abandon: async () => void (await ask('DELETE', `?uploadId=${id}`)),
  }
}

export async function readFromStore(
  settings: S3Settings,
  place: BucketPlace,
): Promise<AsyncIterable<Buffer>> {
  const { body } = await (await openBucket(settings, place))('GET', '')
  return Readable.fromWeb(body as never)
}
