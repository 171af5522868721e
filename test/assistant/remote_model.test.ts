import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLanguageModel } from '../../src/adapters/language_model.ts'
import {
  answerFaceAnalysis,
  answerProductChat,
  answerRoutineChat,
  readChatProduct,
  readSelected,
  readShop,
} from '../../src/domain/assistant/ai_chats.ts'
import { remoteModel } from '../../src/domain/assistant/remote_model.ts'
import { givenProduct, givenShop, type Product, type Shop } from '../kit/catalogue.ts'
import { type ModelServer, startModelServer } from '../kit/peers/model_server.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let server: ModelServer
let shop: Shop
let rose: Product
let lily: Product
let hidden: Product
let foreign: Product

beforeAll(async () => {
  service = await startService()
  server = await startModelServer()
  shop = await givenShop(service)
  rose = await givenProduct(shop, { name: 'Rose water', description: 'Smells of roses.' })
  lily = await givenProduct(shop, { name: 'Lily water', description: 'Smells of lilies.' })
  hidden = await givenProduct(shop, { name: 'Hidden lilies', status: 'INACTIVE' })
  foreign = await givenProduct(await givenShop(service), { name: 'Foreign lilies' })
})
afterAll(async () => {
  await server.close()
  await service.close()
})
beforeEach(() => {
  server.seen.length = 0
})

function assistant() {
  const model = createLanguageModel({
    provider: 'openai-compatible',
    baseUrl: server.baseUrl,
    apiKey: undefined,
    fastModel: 'swift',
    comprehensiveModel: 'deep',
    timeoutSeconds: 20,
    reasoning: true,
  })
  return { db: service.db, config: service.config, aiModel: remoteModel(service.db, model) }
}

const givenChat = async () => ({
  shop: await readShop(service.db, shop.workspaceId),
  message: 'Do you have lilies?',
  history: [],
  thinkingLevel: 'LOW' as const,
})
const usage = { inputTokens: 321, outputTokens: 45 }

function requestBodies(): string {
  return JSON.stringify(server.seen.map(({ body }) => body))
}

describe('a product chat with a provider', () => {
  const chat = async (productId = rose.id) => {
    const input = await givenChat()
    const about = await readChatProduct(service.db, input.shop, productId)
    return answerProductChat(assistant(), { ...input, ...about })
  }

  test('returns only published products among those the model names', async () => {
    const productIds = [lily.id, hidden.id, foreign.id, 'prod_made_up', lily.id]
    server.behave({ says: { response: 'Lily water.', productIds } })
    const { products, ...answer } = await chat()
    expect(products.map(({ id, name }) => [id, name])).toEqual([[lily.id, 'Lily water']])
    expect(answer).toEqual({
      response: 'Lily water.',
      productIds: [lily.id],
      citations: [],
      modelKey: 'openai-compatible/swift',
      usage,
    })
  })

  test('shows the model its product and relevant published ones', async () => {
    server.behave({ says: { response: 'Yes.', productIds: [] } })
    await chat()
    expect(requestBodies()).toContain('Smells of roses.')
    expect(requestBodies()).toContain('Smells of lilies.')
    expect(requestBodies()).not.toContain('Hidden lilies')
    expect(requestBodies()).not.toContain('Foreign lilies')
  })

  test.each([
    { response: 'Yes.' },
    { response: '', productIds: [] },
    { response: 7, productIds: [] },
    [],
  ])('fails on the invalid answer %j', async (says) => {
    server.behave({ says })
    await expect(chat()).rejects.toMatchObject({ failure: 'misbehaved' })
    expect(server.seen).toHaveLength(1)
  })

  test('does not call the model about an unpublished product', async () => {
    await expect(chat(hidden.id)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(server.seen).toHaveLength(0)
  })
})

describe('a routine chat with a provider', () => {
  const step = (order: number, productId: string | null) => {
    return { order, title: `Step ${order}`, productId, instructions: 'Do it.' }
  }

  test('numbers the steps and keeps only products the model was shown', async () => {
    server.behave({
      says: {
        response: 'So.',
        steps: [step(30, hidden.id), step(10, rose.id), step(20, lily.id), step(40, foreign.id)],
      },
    })
    const picture = { bytes: Buffer.from('a picture'), mimeType: 'image/png' }
    const input = await givenChat()
    const { products, ...answer } = await answerRoutineChat(assistant(), {
      ...input,
      thinkingLevel: 'MEDIUM',
      userProfile: {},
      selected: await readSelected(service.db, input.shop, [rose.id]),
      allowAiSuggestions: true,
      images: [picture],
    })
    expect(products.map(({ id }) => id)).toEqual([rose.id, lily.id])
    expect(answer).toEqual({
      response: 'So.',
      steps: [
        { ...step(1, rose.id), title: 'Step 10' },
        { ...step(2, lily.id), title: 'Step 20' },
        { ...step(3, null), title: 'Step 30' },
        { ...step(4, null), title: 'Step 40' },
      ],
      productIds: [rose.id, lily.id],
      citations: [],
      modelKey: 'openai-compatible/deep',
      usage,
    })
    expect(requestBodies()).toContain(`data:image/png;base64,${picture.bytes.toString('base64')}`)
  })

  test('restricts the model to the selected products if it may not suggest others', async () => {
    server.behave({ says: { response: 'So.', steps: [step(1, rose.id), step(2, lily.id)] } })
    const input = await givenChat()
    const { productIds } = await answerRoutineChat(assistant(), {
      ...input,
      userProfile: {},
      images: [],
      allowAiSuggestions: false,
      selected: await readSelected(service.db, input.shop, [rose.id]),
    })
    expect(productIds).toEqual([rose.id])
    expect(requestBodies()).not.toContain('Smells of lilies.')
  })
})

describe('a face analysis with a provider', () => {
  const image = { bytes: Buffer.from('a portrait'), mimeType: 'image/jpeg' }
  const analyse = async () => {
    const { shop: about } = await givenChat()
    return answerFaceAnalysis(assistant(), { shop: about, image, language: 'en' })
  }

  test('passes the picture on and returns what the model sees', async () => {
    const observations = [{ area: 'forehead', finding: 'Shines a little.', severity: 'LOW' }]
    server.behave({ says: { response: 'A face.', faceDetected: true, observations } })
    expect(await analyse()).toEqual({
      response: 'A face.',
      analysis: { faceDetected: true, observations },
      modelKey: 'openai-compatible/deep',
      usage,
    })
    expect(requestBodies()).toContain(image.bytes.toString('base64'))
  })

  test('reports only that a picture has no face', async () => {
    const observations = [{ area: 'wall', finding: 'Is white.', severity: 'LOW' }]
    server.behave({ says: { response: 'None.', faceDetected: false, observations } })
    const { response, analysis } = await analyse()
    expect(response).toBe('')
    expect(analysis).toEqual({ faceDetected: false, observations: [] })
  })
})
