import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenShop, type Media, type Shop } from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import { onePixel, startPages, type TestBrowser } from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenShop(service)
})
afterAll(() => browser.close())

/** More pixels than the service takes, as phones make them. */
async function tooLarge(): Promise<Buffer> {
  const background = { r: 120, g: 40, b: 60 }
  return sharp({ create: { width: 7000, height: 6000, channels: 3, background } })
    .png()
    .toBuffer()
}

test('a picture with too many pixels is made smaller before it travels, also as a replacement', async () => {
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto(`/w/${shop.workspaceId}/media`)
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: await tooLarge() }
  await page.locator('input[type=file]').setInputFiles(photo)
  await page.getByRole('button', { name: /^photo\.webp/ }).click()
  const sizeOf = async () => {
    const { body } = await shop.api.get(shop.at('media')).expect(200)
    const bytes = await (await fetch(body.media[0].url as string)).arrayBuffer()
    const { width, height } = await sharp(Buffer.from(bytes)).metadata()
    return width * height
  }
  expect(await sizeOf()).toBeLessThanOrEqual(40_000_000)
  expect(await sizeOf()).toBeGreaterThan(39_000_000)
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles({ ...photo, name: 'other.png' })
  await dialog.getByRole('heading', { name: 'other.webp' }).waitFor()
})

test('a picture that the browser cannot read is refused here, with what to do', async () => {
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto(`/w/${shop.workspaceId}/media`)
  const uploads: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') uploads.push(request.url())
  })
  const files = [
    { name: 'IMG_1.heic', mimeType: 'image/heic', buffer: Buffer.from('not readable') },
    { name: 'rose.png', mimeType: 'image/png', buffer: onePixel },
  ]
  await page.locator('input[type=file]').setInputFiles(files)
  await page.getByText('This browser cannot read HEIC pictures.').waitFor()
  await page.getByRole('button', { name: /^rose\.png/ }).waitFor()
  expect(uploads).toHaveLength(1)
})

test('a wide logo is whole in the library and in the shop, beside its name', async () => {
  const logo = await sharp({
    create: { width: 1200, height: 200, channels: 3, background: '#a33' },
  })
    .png()
    .toBuffer()
  const upload = shop.api.post(shop.at('media/upload')).attach('files', logo, 'logo.png')
  const { media } = (await upload.expect(200)).body as { media: Media[] }
  const website = { logoImageId: media[0]!.id }
  await shop.api.put(shop.at('website')).send(website).expect(200)
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto(`/w/${shop.workspaceId}/media`)
  const tile = page.getByRole('button', { name: /^logo\.png/ }).locator('img')
  await tile.waitFor()
  const fit = 'getComputedStyle(document.querySelector(".tile img")).objectFit'
  expect(await page.evaluate<string>(fit)).toBe('contain')

  const { body } = await shop.api.get(shop.at('workspace')).expect(200)
  const address = `http://${(body as { subDomain: string }).subDomain}.${service.config.siteDomain}`
  const site = await browser.open({ origin: address, elsewhere: [address], phone: true })
  await site.goto('/')
  const boxOf = async (part: string) => (await site.locator(part).boundingBox())!
  const [image, name, search] = [
    await boxOf('.shop img'),
    await boxOf('.shop span'),
    await boxOf('.seek'),
  ]
  expect(name.x).toBeGreaterThan(image.x + image.width)
  const words = await site
    .locator('.shop span')
    .evaluate((element) => element.scrollWidth + element.getBoundingClientRect().x)
  expect(words).toBeLessThanOrEqual(search.x)
})
