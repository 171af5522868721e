import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test.each(['api', 'dashboard', 'admin'] as const)('the origin %s has an icon', async (origin) => {
  const url = `${service.urls[origin]}/favicon.ico`
  const response = await fetch(url)
  const { headers } = response
  expect([response.status, headers.get('content-type')]).toEqual([200, 'image/x-icon'])
  expect(headers.get('cache-control')).toBe('public, max-age=86400')
  const bytes = Buffer.from(await response.arrayBuffer())
  // One 32 by 32 image, stored as a PNG up to the end of the file.
  expect([...bytes.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32])
  const [size, offset] = [bytes.readUInt32LE(14), bytes.readUInt32LE(18)]
  expect(offset + size).toBe(bytes.length)
  const picture = await sharp(bytes.subarray(offset)).metadata()
  expect(picture).toMatchObject({ format: 'png', width: 32, height: 32 })

  const other = await fetch(url, { method: 'POST' })
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
