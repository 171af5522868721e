import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenMediaRow, givenProduct, type Media } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { fetchMedia } from '../../media/media_owners.ts'
import { givenOpenShop, type OpenShop } from './shop_pages.ts'

let service: TestService
let shop: OpenShop
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
})
afterAll(() => service.close())

/** What a page says to messengers, by name. */
async function toldAt(path: string): Promise<Record<string, string>> {
  const { text } = await shop.visit(path)
  const tags = text.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">/g)
  return Object.fromEntries([...tags].map(([, name, content]) => [name, content]))
}

describe('a page that is shared', () => {
  test('names a picture that messengers take, with its size and what it shows', async () => {
    const shape = { width: 2000, height: 1500, channels: 3, background: '#ace' } as const
    const bytes = await sharp({ create: shape }).avif().toBuffer()
    const upload = { fileName: 'balm.avif', mimeType: 'image/avif' }
    const { body: media } = await shop.api
      .post(shop.at('media'))
      .send({ ...upload, base64: bytes.toString('base64') })
      .expect(200)
    await service.app.pictures.flush()
    const { slug } = await givenProduct(shop, { name: 'Rose balm', imageIds: [media.id] })
    const { name } = (await shop.api.get(shop.at('workspace'))).body
    const told = await toldAt(`/p/${slug}`)
    expect(told).toMatchObject({
      'og:type': 'product',
      'og:image': media.url.replace('.avif', '-share.jpg'),
      'og:image:type': 'image/jpeg',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': `Rose balm · ${name}`,
      'twitter:card': 'summary_large_image',
    })
    const file = { ...(media as Media), url: told['og:image']! }
    const { format, width, height } = await sharp(
      (await fetchMedia(service, file)).bytes,
    ).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
    expect((await toldAt('/products'))['og:image']).toBe(told['og:image'])
  })

  test('names the logo where it shows no picture, and nothing without one', async () => {
    const before = await toldAt('/privacy')
    expect(Object.keys(before).filter((name) => /image|twitter/.test(name))).toEqual([])
    const logo = await givenMediaRow(shop)
    await shop.design({ logoImageId: logo.id })
    const { name } = (await shop.api.get(shop.at('workspace'))).body
    expect(await toldAt('/privacy')).toMatchObject({
      'og:image': logo.url.replace('.png', '-share.jpg'),
      'og:image:alt': name,
      'twitter:card': 'summary_large_image',
    })
  })
})
