import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskMediaStore, type MediaStore } from '../../src/adapters/media_store.ts'
import { createLog } from '../../src/core/log.ts'
import { createSweep } from '../../src/domain/upkeep/sweep.ts'
import { startService, type TestService } from '../kit/service.ts'
import { fetchMedia, givenMediaOwner, type Media } from './media_owners.ts'
import { image } from './pictures.ts'

const day = 24 * 3600_000
let service: TestService
let store: MediaStore
beforeAll(async () => {
  service = await startService()
  store = diskMediaStore(join(service.config.dataDir, 'media'))
})
afterAll(() => service.close())

const statusOf = async (media: Media) => (await fetchMedia(service, media)).response.status

/** The housekeeping of the service, at its time. */
function sweep(): Promise<void> {
  const { db, config } = service
  const log = createLog('silent')
  return createSweep({
    db,
    lookUpTxt: () => Promise.resolve([]),
    mediaStore: store,
    log,
    clock: () => service.now(),
    config,
  })()
}

async function filesOf({ workspace }: { workspace: { id: string } }): Promise<number> {
  let files = 0
  for await (const { key } of store.list()) if (key.startsWith(`${workspace.id}/`)) files++
  return files
}

/** An image whose content was replaced, and what it was before. */
async function givenReplaced() {
  const owner = await givenMediaOwner(service)
  const bytes = await image()
  const before = (await owner.upload(bytes)).body as Media
  const after = (await owner.replace(before.id, await image()).expect(200)).body as Media
  return { ...owner, bytes, before, after }
}

describe('content that replace_media replaced', () => {
  test('stays at its address for 30 days, and its file goes with the next sweep', async () => {
    const { bytes, before, after, ...owner } = await givenReplaced()
    service.advance(30 * day - 1000)
    await sweep()
    const { response, bytes: served } = await fetchMedia(service, before)
    expect([response.status, served.equals(bytes)]).toEqual([200, true])
    service.advance(2000)
    // The address ends by the clock, not by the sweep.
    expect(await statusOf(before)).toBe(404)
    expect(await filesOf(owner)).toBe(2)
    await sweep()
    expect(await filesOf(owner)).toBe(1)
    expect(await statusOf(after)).toBe(200)
  })

  test('is neither listed nor counted', async () => {
    const { api, path, after } = await givenReplaced()
    const { body } = await api.get(path)
    expect((body.media as Media[]).map(({ key }) => key)).toEqual([after.key])
    expect(body.summary).toEqual({ total: 1, unused: 1, linked: 0, multiLinked: 0 })
  })

  test('comes back by another replacement, and what replaced it is kept', async () => {
    const { replace, bytes, before, after } = await givenReplaced()
    const { body } = await replace(before.id, bytes).expect(200)
    expect(body.url).toBe(before.url)
    expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200])
    service.advance(31 * day)
    await sweep()
    expect([await statusOf(before), await statusOf(after)]).toEqual([200, 404])
  })

  test('is kept for 30 days from its last use', async () => {
    const { replace, bytes, before } = await givenReplaced()
    service.advance(20 * day)
    await replace(before.id, bytes).expect(200)
    await replace(before.id, await image()).expect(200)
    service.advance(20 * day)
    await sweep()
    expect(await statusOf(before)).toBe(200)
    service.advance(11 * day)
    await sweep()
    expect(await statusOf(before)).toBe(404)
  })
})

describe('delete_media', () => {
  test('ends every address that the image had, at once, and removes the files', async () => {
    const { api, path, replace, before, after, ...owner } = await givenReplaced()
    const last = (await replace(before.id, await image())).body as Media
    await api.delete(`${path}/${before.id}`).expect(200)
    for (const media of [before, after, last]) expect(await statusOf(media)).toBe(404)
    expect(await filesOf(owner)).toBe(0)
  })

  test('keeps content that another image has, or had', async () => {
    const { api, path, upload, replace, bytes, before, after } = await givenReplaced()
    const having = (await upload(bytes)).body as Media
    await api.delete(`${path}/${before.id}`).expect(200)
    expect([await statusOf(before), await statusOf(after)]).toEqual([200, 404])
    await replace(having.id, await image()).expect(200)
    const third = (await upload(bytes)).body as Media
    await api.delete(`${path}/${third.id}`).expect(200)
    expect(await statusOf(before)).toBe(200)
    await api.delete(`${path}/${having.id}`).expect(200)
    expect(await statusOf(before)).toBe(404)
  })
})

test('the sweep keeps the file of another image that has the content', async () => {
  const { upload, bytes, before } = await givenReplaced()
  await upload(bytes).expect(200)
  service.advance(31 * day)
  await sweep()
  expect(await statusOf(before)).toBe(200)
})
