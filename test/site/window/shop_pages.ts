import request, { type Response } from 'supertest'
import { givenShop, type Shop } from '../../kit/catalogue.ts'
import { keepAliveAgent, type TestService } from '../../kit/service.ts'

/** A shop and its public pages. */
export interface OpenShop extends Shop {
  subDomain: string
  /** A page of the shop, as a browser asks for it. */
  visit(path: string, headers?: Record<string, string>): Promise<Response>
  /** Sends a form of a page, as a browser does. */
  send(path: string, form: object, headers?: Record<string, string>): Promise<Response>
  /** Calls an experience operation as a script of its pages does. */
  call(path: string, body: object, headers?: Record<string, string>): Promise<Response>
  /** The origin of its pages. */
  url: string
  /** Changes its website. */
  design(change: object): Promise<void>
}

/** Asks the origin of the shops for a path of a host. */
export function visitHost(
  { urls }: Pick<TestService, 'urls'>,
  host: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return request(urls.site)
    .get(path)
    .agent(keepAliveAgent)
    .redirects(0)
    .set({ Host: host, 'User-Agent': 'Mozilla/5.0', ...headers })
    .then((response) => response)
}

export async function givenOpenShop(service: TestService): Promise<OpenShop> {
  const shop = await givenShop(service)
  const { subDomain } = (await shop.api.get(shop.at('workspace'))).body
  const host = `${subDomain}.${service.config.siteDomain}`
  const url = `http://${host}`
  return {
    ...shop,
    subDomain,
    url,
    visit: (path, headers) => visitHost(service, host, path, headers),
    call: (path, body, headers) =>
      request(service.urls.site)
        .post(`/v1/workspaces/${shop.workspaceId}/experience/${path}`)
        .agent(keepAliveAgent)
        .set({ Host: host, Origin: url, ...headers })
        .send(body)
        .then((response) => response),
    send: (path, form, headers) =>
      request(service.urls.site)
        .post(path)
        .agent(keepAliveAgent)
        .redirects(0)
        .type('form')
        .set({ Host: host, Origin: url, ...headers })
        .send(form)
        .then((response) => response),
    design: async (change) =>
      void (await shop.api.put(shop.at('website')).send(change).expect(200)),
  }
}

/** The cookies that an answer sets, as a browser sends them back. */
export function cookiesOf({ headers }: Response): string {
  const set = (headers['set-cookie'] ?? []) as unknown as string[]
  return set.map((cookie) => cookie.split(';')[0]!).join('; ')
}

/** Signs a customer in with a mailed code; returns the cookie of the session. */
export async function signIn(
  service: TestService,
  shop: OpenShop,
  email: string,
): Promise<{ Cookie: string }> {
  const asked = await shop.send('/sign-in', { step: 'code', name: 'Ece Demir', email })
  const code = await service.codeFor(email)
  const signed = await shop.send(
    '/sign-in',
    { step: 'session', code },
    { Cookie: cookiesOf(asked) },
  )
  const session = cookiesOf(signed)
    .split('; ')
    .find((cookie) => cookie.startsWith('vitrine_customer='))
  return { Cookie: session! }
}

/** The text of a response, whatever its type. */
export const textOf = ({ text, body }: Response): string => text ?? JSON.stringify(body)

/** Every address that a page links to inside its shop. */
export function linksIn(html: string): string[] {
  return [...html.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path!.replaceAll('&amp;', '&'))
}

/** All pages of a shop that can be reached from the first one, by their paths. */
export async function crawl(shop: OpenShop): Promise<Map<string, Response>> {
  const pages = new Map<string, Response>()
  const waiting = ['/', '/robots.txt', '/sitemap.xml', '/products.json', '/llms.txt', '/search?q=a']
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path)) continue
    const page = await shop.visit(path)
    pages.set(path, page)
    if (page.type === 'text/html') waiting.push(...linksIn(page.text))
  }
  return pages
}
