import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop } from './shop_pages.ts'

const provider = {
  AI_PROVIDER: 'openai-compatible',
  AI_BASE_URL: 'https://models.example/v1',
  AI_API_KEY: 'key',
  AI_FAST_MODEL: 'swift',
  AI_COMPREHENSIVE_MODEL: 'deep',
}

const services: TestService[] = []
let alone: OpenShop
let asking: OpenShop
beforeAll(async () => {
  alone = await givenBeautyShop({ CONVERSATION_DAYS: '30' })
  asking = await givenBeautyShop(provider)
})
afterAll(() => Promise.all(services.map((service) => service.close())))

/** A shop whose assistant looks at faces. */
async function givenBeautyShop(env: Record<string, string>): Promise<OpenShop> {
  const service = await startService({ env })
  services.push(service)
  const shop = await givenOpenShop(service)
  await setAssistant(shop, { sector: 'BEAUTY' })
  return shop
}

const setAssistant = (shop: OpenShop, change: object) =>
  shop.api
    .put(shop.at('ai-settings'))
    .send({ fastEnabled: true, comprehensiveEnabled: true, sector: 'BEAUTY', ...change })
    .expect(200)

const textAt = async (shop: OpenShop, path: string) => (await shop.visit(path)).text

describe('the privacy page', () => {
  test('says that questions and photos stay here where no provider is asked', async () => {
    const text = await textAt(alone, '/privacy')
    expect(text).toContain('what you write to it goes to no other company.')
    expect(text).toContain('A photo for the face analysis is looked at here and never stored.')
    expect(text).toContain('deleted 30 days after they were last used.')
    expect(text).not.toContain('models.example')
    expect(await textAt(alone, '/face')).not.toContain('models.example')
  })

  test('names the provider that is asked, for questions and for photos', async () => {
    const text = await textAt(asking, '/privacy')
    expect(text).toContain('The assistant asks a model of models.example: what you write')
    expect(text).toContain('A photo for the face analysis is sent to models.example, too.')
    expect(text).toContain('deleted 90 days after they were last used.')
    expect(text).not.toContain('no other company.')
    expect(await textAt(asking, '/face')).toContain('The photo is sent to models.example, whose')
  })

  test('says nothing of photos where none are looked at, nor of an assistant that is off', async () => {
    await setAssistant(asking, { sector: 'TEXTILE' })
    const withoutFaces = await textAt(asking, '/privacy')
    expect(withoutFaces).toContain('The assistant asks a model of models.example')
    expect(withoutFaces).not.toContain('face analysis')
    await setAssistant(asking, { fastEnabled: false, comprehensiveEnabled: false })
    expect(await textAt(asking, '/privacy')).not.toContain('models.example')
    await setAssistant(asking, {})
  })

  test('says so in the language of the shop', async () => {
    await asking.design({ language: 'tr' })
    const text = await textAt(asking, '/privacy')
    expect(text).toContain('Asistan models.example adresindeki bir modele danışır')
    expect(text).toContain('son kullanımlarından 90 gün sonra silinir.')
    expect(await textAt(asking, '/face')).toContain('Fotoğraf models.example adresine gönderilir')
  })
})
