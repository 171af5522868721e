import type { Transaction } from 'kysely'
import { parsedUrl } from '../../core/urls.ts'
import { UnexpectedStatus } from '../../adapters/public_download.ts'
import {
  AnswerTooLarge,
  PublicFetchError,
  UnfitUrl,
  UnresolvedHost,
} from '../../adapters/public_fetch.ts'
import { ApiError, invalidInput } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import { limits } from '../../generated/limits.ts'
import type { components } from '../../generated/types.ts'
import type { AccountCaller } from '../../operation.ts'
import { getMedia, insertMedia, type StoredMedia } from '../../queries/media/media.ts'
import { imageExtensions } from './image_types.ts'
import { storeAndRefer, type Storing } from './media.ts'

type Schemas = components['schemas']

const maxBytes = limits.ImageBytes.maxLength
const accept = Object.keys(imageExtensions).join(', ')

/** Stores the image at a public address. While it is fetched, no connection of the database waits. */
export function importMedia(
  caller: AccountCaller,
  workspaceId: string,
  wanted: Schemas['MediaImport'],
): Promise<Schemas['Media']> {
  return importAndRefer(caller, workspaceId, wanted, async (trx, media) => {
    const id = await insertMedia(trx, workspaceId, media, caller.now)
    return getMedia(trx, workspaceId, id)
  })
}

/** The same for whatever is to refer to the image. */
export async function importAndRefer<T>(
  caller: Storing & Pick<AccountCaller, 'accountId' | 'download'>,
  workspaceId: string,
  { sourceUrl, fileName = fileNameIn(sourceUrl) }: Schemas['MediaImport'],
  refer: (trx: Transaction<Database>, media: StoredMedia) => Promise<T>,
): Promise<T> {
  const { accountId: account, signal } = caller
  try {
    return await caller.download({ url: sourceUrl, accept, maxBytes, account, signal }, (bytes) => {
      const upload = { fileName, mimeType: undefined, read: () => Promise.resolve(bytes) }
      const uploads = [{ upload, field: 'sourceUrl' }]
      return storeAndRefer(caller, workspaceId, uploads, (trx, [file]) => refer(trx, file!.media))
    })
  } catch (error) {
    if (error instanceof PublicFetchError) throw refusalOf(error)
    throw error
  }
}

/** Says no more about a host than whether it is public: the service must not be used to look around. */
function refusalOf(error: PublicFetchError): ApiError {
  if (error instanceof UnfitUrl) return invalidInput({ sourceUrl: 'publicUrlExpected' })
  if (error instanceof UnresolvedHost) return invalidInput({ sourceUrl: 'hostUnresolved' })
  if (error instanceof UnexpectedStatus)
    return invalidInput({ sourceUrl: ['hostAnswered', { status: error.status }] })
  if (!(error instanceof AnswerTooLarge)) return invalidInput({ sourceUrl: 'hostUnreachable' })
  return new ApiError('payload_too_large', 'fileTooLarge', {
    sourceUrl: ['bytesMax', { limit: maxBytes }],
  })
}

const maxName = limits.MediaImport.fileName.maxLength

/** The last part of a URL's path, if it says anything. */
function fileNameIn(url: string): string {
  const { pathname } = parsedUrl(url) ?? { pathname: '' }
  const last = decoded(pathname.split('/').at(-1) ?? '').replace(/\p{C}/gu, '')
  return /[\p{L}\p{N}]/u.test(last) ? [...last].slice(0, maxName).join('') : 'image'
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
