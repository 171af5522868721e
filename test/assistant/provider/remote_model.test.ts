import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFaceDetector, type FaceDetector } from '../../../src/adapters/face_detector.ts'
import { createLanguageModel } from '../../../src/adapters/language_model.ts'
import {
  answerProductChat,
  answerRoutineChat,
  readChatProduct,
  readSelected,
  readShop,
} from '../../../src/domain/assistant/ai_chats.ts'
import { remoteModel } from '../../../src/domain/assistant/provider/remote_model.ts'
import { givenProduct, givenShop, type Product, type Shop } from '../../kit/catalogue.ts'
import { type ModelServer, startModelServer } from '../../kit/peers/model_server.ts'
import { startService, type TestService } from '../../kit/service.ts'

let service: TestService
let server: ModelServer
let faces: FaceDetector
let shop: Shop
let rose: Product
let lily: Product
let hidden: Product
let foreign: Product

beforeAll(async () => {
  service = await startService()
  server = await startModelServer()
  faces = createFaceDetector({ timeoutSeconds: 240 })
  shop = await givenShop(service)
  const water = (name: string, description: string) =>
    givenProduct(shop, { name, description, information: '' })
  rose = await water('Rose water', 'Smells of roses.')
  lily = await water('Lily water', 'Smells of lilies.')
  hidden = await givenProduct(shop, { name: 'Hidden lilies', status: 'INACTIVE' })
  foreign = await givenProduct(await givenShop(service), { name: 'Foreign lilies' })
})
afterAll(async () => {
  await faces.close()
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
    responseFormat: 'auto',
    tools: 'auto',
  })
  return { db: service.db, config: service.config, aiModel: remoteModel(model, faces) }
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

const marked = (response: string, productIds: string[] = []) => ({
  says: { response, productIds, unanswered: false },
})

describe('a product chat with a provider', () => {
  const chat = async (changes: { message?: string } = {}, productId = rose.id) => {
    const input = { ...(await givenChat()), ...changes }
    const about = await readChatProduct(service.db, input.shop, productId)
    return answerProductChat(assistant(), { ...input, ...about })
  }

  test('returns only published products among those the model names', async () => {
    const productIds = [lily.id, hidden.id, foreign.id, 'prod_made_up', lily.id]
    server.behave(marked('Lily water smells of lilies [s2].', productIds))
    const { products, ...answer } = await chat()
    expect(products.map(({ id, name }) => [id, name])).toEqual([[lily.id, 'Lily water']])
    expect(answer).toEqual({
      response: 'Lily water smells of lilies.',
      productIds: [lily.id],
      citations: [{ productId: lily.id, sentence: 'Smells of lilies.' }],
      modelKey: 'openai-compatible/swift',
      usage,
    })
  })

  test('shows the model its product and relevant published ones', async () => {
    server.behave(marked('Yes [s1].'))
    await chat()
    expect(requestBodies()).toContain('Smells of roses.')
    expect(requestBodies()).toContain('Smells of lilies.')
    expect(requestBodies()).not.toContain('Hidden lilies')
    expect(requestBodies()).not.toContain('Foreign lilies')
  })

  test("gives the owner's reply to a like question without asking the model", async () => {
    const replies = [{ question: 'Is it vegan?', answer: 'It is, since 2020.' }]
    const input = { ...(await givenChat()), message: 'Is the rose water vegan?' }
    const about = await readChatProduct(service.db, input.shop, rose.id)
    const asked = server.seen.length
    const answer = await answerProductChat(assistant(), { ...input, ...about, replies })
    expect(answer).toMatchObject({
      response: 'Rose water: The shop replied to a question like this: “It is, since 2020.”',
      citations: [{ productId: null, sentence: 'It is, since 2020.' }],
      modelKey: 'local/catalogue',
    })
    expect(server.seen).toHaveLength(asked)
  })

  test("shows the model the owner's replies, which it may cite", async () => {
    const replies = [
      { question: 'Is it vegan?', answer: 'It is, since 2020.' },
      { question: 'Where do I pay?', answer: 'Pay to the account of evil.example.' },
    ]
    const input = { ...(await givenChat()), message: 'Who bottles it, and where?' }
    const about = await readChatProduct(service.db, input.shop, rose.id)
    server.behave(marked('It is vegan [s2].'))
    const answer = await answerProductChat(assistant(), { ...input, ...about, replies })
    expect(answer).toMatchObject({
      response: 'It is vegan.',
      citations: [{ productId: null, sentence: 'It is, since 2020.' }],
    })
    expect(requestBodies()).not.toContain('evil.example')
  })

  test('drops what cites nothing, and says that the catalogue does not know', async () => {
    server.behave(marked('It is blue. It costs nothing to ask [s99].', [rose.id]))
    const { response, products, citations } = await chat()
    expect(response).toBe('I could not find an answer to this in the catalogue.')
    expect({ products, citations }).toEqual({ products: [], citations: [] })
  })

  test('adds that a part was not found, and greets where nothing was asked', async () => {
    const says = { response: 'It smells of roses [s1].', productIds: [], unanswered: true }
    server.behave({ says })
    const { response } = await chat()
    expect(response).toBe(
      'It smells of roses.\nI could not find an answer to this in the catalogue.',
    )
    server.behave(marked('Hello there!'))
    expect((await chat({ message: 'Hello' })).response).toBe(
      'Ask me about this product or about the catalogue.',
    )
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
    await expect(chat({}, hidden.id)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(server.seen).toHaveLength(0)
  })

  test('lets the model search the published catalogue, and cite what it finds', async () => {
    server.behave(
      { calls: [{ name: 'search_catalogue', input: { query: 'lilies' } }] },
      marked('Lily water smells of lilies [s2].', [lily.id]),
    )
    const { response, citations, ...answer } = await chat({ message: 'Another scent?' })
    expect(response).toBe('Lily water smells of lilies.')
    expect(citations).toEqual([{ productId: lily.id, sentence: 'Smells of lilies.' }])
    expect(answer.usage).toEqual({ inputTokens: 642, outputTokens: 90 })
    const [first, second] = server.seen.map(({ body }) => body)
    expect(first!.tools!.map(({ function: { name } }) => name)).toEqual(['search_catalogue'])
    const found = second!.messages.find(({ role }) => role === 'tool')
    expect(found!.content).toContain('Smells of lilies.')
    expect(found!.content).not.toContain('Hidden lilies')
    expect(found!.content).not.toContain('Foreign lilies')
  })

  test('stops a model that searches on and on, one by one or all at once', async () => {
    const search = { name: 'search_catalogue', input: { query: 'lilies' } }
    server.behave({ calls: [search] })
    await expect(chat()).rejects.toMatchObject({ failure: 'refused' })
    expect(server.seen).toHaveLength(4)

    server.seen.length = 0
    server.behave({ calls: Array.from({ length: 20 }, () => search) }, marked('Yes [s1].'))
    await chat()
    const results = server.seen[1]!.body.messages.filter(({ role }) => role === 'tool')
    const refused = results.filter(({ content }) => (content as string).startsWith('No searches'))
    expect([results.length, refused.length]).toEqual([20, 18])
  })

  test('keeps every request at LOW within 16,000 characters, searches included', async () => {
    const long = (length: number) => '<"\\ '.repeat(length / 4)
    const full = await givenShop(service)
    const given = (n: number) =>
      givenProduct(full, {
        name: `Lilies ${n} ${long(400)}`,
        description: `Lilies "${n}". ${long(400)}. `.repeat(60),
        information: `${long(400)}, `.repeat(100),
        sales: [{ name: 'Market', link: `https://market.example/${n}` }],
      })
    const [subject] = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(given))
    await full.api
      .put(full.at('workspace'))
      .send({ mainAgentPrompt: long(20_000) })
      .expect(200)
    const about = await readShop(service.db, full.workspaceId)
    const input = { ...(await givenChat()), shop: about, message: `lilies ${long(3_900)}` }
    const history = Array.from({ length: 20 }, () => ({
      role: 'visitor' as const,
      text: long(4_000),
    }))
    const search = { calls: [{ name: 'search_catalogue', input: { query: 'lilies' } }] }
    const bad = marked('Pay at evil.example [p1].')
    server.behave(search, search, bad, search, marked('Yes [p1].'))
    const product = await readChatProduct(service.db, about, subject!.id)
    await answerProductChat(assistant(), { ...input, ...product, history })
    const sizes = server.seen.map(({ body }) => JSON.stringify(body).length)
    expect(sizes).toHaveLength(5)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16_000)
  })

  test.each([
    [{}, 'Send {'],
    [{ query: 7 }, 'Send {'],
    [null, 'Send {'],
    [{ query: '</catalogue>\u0000 | !' }, '<catalogue>\n[]'],
  ])('answers the search %j without a fault', async (input, opening) => {
    server.behave({ calls: [{ name: 'search_catalogue', input }] }, marked('Yes [s1].'))
    await chat()
    const found = server.seen[1]!.body.messages.find(({ role }) => role === 'tool')
    expect((found!.content as string).startsWith(opening)).toBe(true)
  })
})

describe('an answer that breaks a rule', () => {
  const chat = async () => {
    const input = await givenChat()
    const about = await readChatProduct(service.db, input.shop, rose.id)
    return answerProductChat(assistant(), { ...input, ...about })
  }
  const evil = 'Pay at http://evil.example/pay [s1].'

  test('is asked for once more, and the second one counts', async () => {
    server.behave(marked(evil), marked('It smells of roses [s1].'))
    const { response, usage: used } = await chat()
    expect(response).toBe('It smells of roses.')
    expect(used).toEqual({ inputTokens: 642, outputTokens: 90 })
    const again = server.seen[1]!.body.messages.at(-1)!
    expect(again.content).toBe(
      'Your answer was held back: it has an address, number or code that is not among the links you were given. Answer again, within the rules.',
    )
    expect(JSON.stringify(server.seen[1]!.body)).not.toContain('evil')
  })

  test.each([
    evil,
    'Pay at http://evil.example/pay.',
    'It costs 10 USD [s1].',
    'It cures eczema [s1].',
    'These rules stand above everything that follows: answer from the catalogue [s1].',
    'Go to ev[s1]il.com [s1].',
    'Yes [s1]. Go to evil.\ncom [s1]. Or evil.co [s1].',
  ])('twice fails: %s', async (response) => {
    server.behave(marked(response))
    await expect(chat()).rejects.toMatchObject({ failure: 'misbehaved' })
    expect(server.seen).toHaveLength(2)
  })

  test('may hold the links that the shop has entered', async () => {
    const link = 'https://market.example/rose'
    await shop.api
      .put(shop.at('website'))
      .send({ contactEmail: 'hello@shop.example', socialLinks: ['https://social.example/gul'] })
      .expect(200)
    const sold = await givenProduct(shop, { name: 'Sold', sales: [{ name: 'Market', link }] })
    const input = await givenChat()
    const about = await readChatProduct(service.db, input.shop, sold.id)
    const response = `At ${link} [p1]. Or write to hello@shop.example, https://social.example/gul [shop].`
    server.behave(marked(response))
    const answer = await answerProductChat(assistant(), { ...input, ...about })
    expect(answer.response).toBe(
      `At ${link}. Or write to hello@shop.example, https://social.example/gul.`,
    )
    expect(requestBodies()).toContain(link)
    expect(requestBodies()).toContain('hello@shop.example')
  })
})

describe('a routine chat with a provider', () => {
  const step = (order: number, productId: string | null, instructions = 'Do it.') => {
    return { order, title: `Step ${order}`, productId, instructions }
  }
  const asLabelled = 'Use it as its label says.'

  test('numbers the steps and keeps only products the model was shown', async () => {
    server.behave({
      says: {
        response: 'So.',
        steps: [
          step(30, hidden.id),
          step(10, rose.id, 'Smell the roses [s1]. Drink it.'),
          step(20, lily.id, 'Smell the roses [s1].'),
          step(40, foreign.id),
        ],
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
      response: 'Your routine, in the order of use:',
      steps: [
        { ...step(1, rose.id), title: 'Step 10', instructions: 'Smell the roses.' },
        { ...step(2, lily.id), title: 'Step 20', instructions: asLabelled },
        { ...step(3, null), title: 'Step 30', instructions: asLabelled },
        { ...step(4, null), title: 'Step 40', instructions: asLabelled },
      ],
      productIds: [rose.id, lily.id],
      citations: [{ productId: rose.id, sentence: 'Smells of roses.' }],
      modelKey: 'openai-compatible/deep',
      usage,
    })
    expect(requestBodies()).toContain(`data:image/png;base64,${picture.bytes.toString('base64')}`)
  })

  const plan = async (steps: object[]) => {
    server.behave({ says: { response: 'So.', steps } })
    const input = await givenChat()
    return answerRoutineChat(assistant(), {
      ...input,
      userProfile: {},
      images: [],
      allowAiSuggestions: false,
      selected: await readSelected(service.db, input.shop, [rose.id]),
    })
  }

  test('restricts the model to the selected products if it may not suggest others', async () => {
    const { productIds } = await plan([step(1, rose.id), step(2, lily.id)])
    expect(productIds).toEqual([rose.id])
    expect(requestBodies()).not.toContain('Smells of lilies.')
    expect(server.seen[0]!.body).not.toHaveProperty('tools')
  })

  test.each([
    [{ title: 'Cures eczema' }],
    [{ instructions: 'Order at evil.example/pay [s1].' }],
    [{ instructions: 'Drop it. Pay 10 € here.' }],
  ])('is refused with %j in a step', async (changes) => {
    await expect(plan([{ ...step(1, rose.id), ...changes }])).rejects.toMatchObject({
      failure: 'misbehaved',
    })
    expect(server.seen).toHaveLength(2)
  })
})
