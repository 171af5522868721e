import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { expect } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import type { Shop } from '../kit/catalogue.ts'
import type { TestService } from '../kit/service.ts'

type Media = components['schemas']['Media']
type Target = components['schemas']['MediaUploadUrl']

export const promiseOf = (bytes: Buffer, mimeType = 'image/png') => ({
  fileName: 'gül.png',
  mimeType,
  size: bytes.length,
})

/** The path of an upload URL for these bytes. */
export async function givenUploadPath(
  shop: Pick<Shop, 'api' | 'at'>,
  bytes: Buffer,
  mimeType?: string,
) {
  const { status, body } = await shop.api
    .post(shop.at('media/uploads'))
    .send(promiseOf(bytes, mimeType))
  expect(status).toBe(200)
  return new URL((body as Target).url).pathname
}

/** Sends bytes to an upload URL without a credential. */
export function putBytes(
  service: TestService,
  path: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
) {
  const call = request(service.urls.api).put(path)
  return call.set({ 'Content-Type': 'image/png', ...headers }).send(bytes)
}

export const mediaOf = async (shop: Shop): Promise<{ media: Media[]; total: number }> => {
  const { body } = await shop.api.get(shop.at('media'))
  return { media: body.media, total: body.summary.total }
}

/** The files in a workspace's store. */
export function filesOf({ service, workspaceId }: Shop): string[] {
  const folder = join(service.config.dataDir, 'media', workspaceId)
  return existsSync(folder) ? readdirSync(folder) : []
}

export const uploadNotFound = {
  status: 404,
  code: 'not_found',
  message: 'There is no such upload.',
}
