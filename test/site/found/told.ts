import request, { type Response } from 'supertest'
import { expect } from 'vitest'
import { addressOf, type PageKind } from '../../../src/site/address.ts'
import { shopTools } from '../../../src/site/agents/tools.ts'
import { message } from '../../kit/agents.ts'
import { keepAliveAgent, type TestService } from '../../kit/service.ts'
import { type OpenShop, textOf } from '../window/shop_pages.ts'
import { type Canaries, embedding, type Published } from './canaries.ts'

/** Every kind of path, as of something that is published and of something that is not. */
function pathsOf(shop: OpenShop, here: Published, secret: Canaries): Record<PageKind, string[]> {
  const slugs = [here.product.slug, secret.products[0]!.slug, secret.products[1]!.slug]
  const ids = [here.product.id, secret.products[0]!.id]
  return {
    home: ['/'],
    products: ['/products', '/products?page=1'],
    collections: ['/collections'],
    collection: [`/c/${here.collection.slug}`],
    tag: [here.tag, secret.tag].map(({ id }) => `/t/${id}`),
    product: slugs.map((slug) => `/p/${slug}`),
    information: slugs.map((slug) => `/p/${slug}/information`),
    search: ['/search', ...[here, secret].map(({ words }) => `/search?q=${words.at(-4)}`)],
    about: ['/about'],
    faq: ['/faq'],
    privacy: ['/privacy'],
    routine: ['/routine'],
    face: ['/face'],
    signIn: ['/sign-in'],
    account: ['/account'],
    feedback: ['/feedback'],
    report: ['/report'],
    robots: ['/robots.txt'],
    sitemap: ['/sitemap.xml', '/sitemap.xml?page=1'],
    feed: ['/products.json', '/products.json?page=1'],
    models: ['/llms.txt', '/agents.md'],
    loader: ['/widget.js'],
    widget: [...slugs, ...ids].map((name) => `/widget/${name}`),
    assistant: ['/assistant.json'],
    unknown: [
      '/nowhere',
      '/mcp',
      ...slugs.map((slug) => `/out/${slug}/0`),
      `/v1/workspaces/${shop.workspaceId}/experience/bootstrap`,
    ],
  }
}

export interface Told {
  asked: string
  status: number
  /** All that was answered, headers too, but for what the asker has said. */
  text: string
}

/** What a shop tells one who asks for all there is, by links, as an agent, as a page of others and in a chat. */
export async function toldBy(
  service: TestService,
  shop: OpenShop,
  { here, secret, headers = {} }: { here: Published; secret: Canaries; headers?: object },
): Promise<Told[]> {
  const told: Told[] = []
  const note = (asked: string, answer: Response) => {
    const [, query] = asked.split('?q=')
    const said = decodeURIComponent(query ?? asked.split('/')[2] ?? '')
    const text = textOf(answer).replaceAll(/"slug":"[^"]*"/g, '') + JSON.stringify(answer.headers)
    const others = said.length < 4 ? text : text.replaceAll(said, '')
    told.push({ asked, status: answer.status, text: others })
  }
  const asBrowser = headers as Record<string, string>
  for (const [kind, paths] of Object.entries(pathsOf(shop, here, secret)))
    for (const path of paths) {
      expect([path, addressOf(...partsOf(path)).kind]).toEqual([path, kind])
      note(path, await shop.visit(path, asBrowser))
      if (kind === 'widget' || kind === 'loader')
        note(path, await shop.visit(path, { ...asBrowser, Origin: embedding }))
    }
  for (const productId of [here.product.id, secret.products[0]!.id]) {
    const question = { message: 'What is it made of?', productId }
    note(`chat ${productId}`, await shop.call('chat/product', question, asBrowser))
  }
  const slugs = [here.product, ...secret.products].map(({ slug }) => slug)
  const calls = shopTools.flatMap(({ name }) =>
    name === 'get_product'
      ? slugs.map((slug) => ({ name, arguments: { slug } as object }))
      : [{ name, arguments: {} }, ...slugs.map((slug) => ({ name, arguments: { slug } }))],
  )
  for (const call of [...calls, { name: 'search_catalog', arguments: { query: 'canary' } }])
    note(`mcp ${JSON.stringify(call)}`, await callTool(service, shop, call))
  return told
}

const partsOf = (path: string): [string, string] => {
  const [before = '', query = ''] = path.split('?')
  return [before, query]
}

function callTool({ urls }: TestService, shop: OpenShop, call: object): Promise<Response> {
  return request(urls.site)
    .post('/mcp')
    .agent(keepAliveAgent)
    .set('Host', new URL(shop.url).host)
    .send(message('tools/call', call as Record<string, unknown>))
    .then((response) => response)
}

/** Which of these words are told, and where each was asked for first. */
export function wordsIn(told: Told[], words: string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const word of words) {
    const place = told.find(({ text }) => text.toLowerCase().includes(word.toLowerCase()))
    if (place) found[word] = place.asked
  }
  return found
}
