import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  AnswerTooLarge,
  createPublicFetch,
  PublicFetchBusy,
  PublicFetchError,
  type PublicFetchParts,
  UnfitUrl,
} from '../../src/adapters/public_fetch.ts'
import { isPublicAddress } from '../../src/core/public_urls.ts'
import { makeCertificate } from '../kit/peers/certificates.ts'
import { type MetadataHost, publicAddress, startMetadataHost } from '../kit/peers/metadata_host.ts'

let host: MetadataHost

beforeAll(async () => {
  host = await startMetadataHost()
})

afterAll(() => host.close())

/** Fetches with the host's parts, or others; returns the outcome and the connected addresses. */
async function ask(url: string, parts: PublicFetchParts = {}) {
  const before = host.connections().length
  const fetching = createPublicFetch({ ...host.fetchParts, ...parts })(url, 'tests')
  const outcome = await fetching.catch((error: unknown) => error)
  return { outcome, connections: host.connections().slice(before) }
}

const notPublic = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.1.1.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '2001:20::1',
  '2002:7f00:1::',
  '2002:808:808::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%lo',
  '2606:4700::1111%1',
  'fec0::1',
  'ff02::1',
  'not an address',
  '',
]

describe('the check of addresses', () => {
  it.each(notPublic)(
    '%j is not public, and hosts with it are not connected to',
    async (address) => {
      expect(isPublicAddress(address)).toBe(false)
      const resolve = () => Promise.resolve([publicAddress, address])
      const { outcome, connections } = await ask(host.url('/'), { resolve })
      expect(outcome).toEqual(new PublicFetchError('The host could not be reached.'))
      expect(connections).toEqual([])
    },
  )

  it.each(['1.1.1.1', '93.184.215.14', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00::1'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )

  it('a host without an address is not connected to', async () => {
    const { outcome, connections } = await ask(host.url('/'), {
      resolve: () => Promise.resolve([]),
    })
    expect(outcome).toEqual(new PublicFetchError('The host could not be reached.'))
    expect(connections).toEqual([])
  })

  it('the name is resolved once, and the connection uses the checked address', async () => {
    host.serve('/pinned', { body: { ok: true } })
    const answers = [[publicAddress], ['127.0.0.1'], ['10.0.0.1']]
    let lookups = 0
    const resolve = () => Promise.resolve(answers[lookups++] ?? [])
    const { outcome, connections } = await ask(host.url('/pinned'), { resolve })
    expect(outcome).toMatchObject({ status: 200, body: { ok: true } })
    expect(lookups).toBe(1)
    expect(connections).toEqual([publicAddress])
  })
})

describe('the check of URLs', () => {
  it.each([
    ['http://agent.example.com/', 'The URL is not an https URL.'],
    ['ftp://agent.example.com/', 'The URL is not an https URL.'],
    ['https://agent.example.com:8443/', 'The URL has a port of its own.'],
    ['https://user@agent.example.com/', 'The URL has a user name.'],
    ['https://user:secret@agent.example.com/', 'The URL has a user name.'],
    ['https://@agent.example.com/', 'The URL has a user name.'],
    ['https://agent.example.com/#part', 'The URL has a fragment.'],
    ['https://agent.example.com\\@10.0.0.1/', 'The URL has characters that a URL cannot hold.'],
    ['https://agent.example.com/a b', 'The URL has characters that a URL cannot hold.'],
    ['https:agent.example.com/', 'The URL is not a URL.'],
    ['https:///agent.example.com/', 'The URL is not a URL.'],
    ['nonsense', 'The URL is not a URL.'],
    ['https://localhost/', 'The URL has no public host name.'],
    ['https://metadata.google.internal/', 'The URL has no public host name.'],
    ['https://agent.example.com./', 'The URL has no public host name.'],
    ['https://printer.local/', 'The URL has no public host name.'],
    ['https://127.0.0.1/', 'The URL has no public address.'],
    ['https://127.1/', 'The URL has no public address.'],
    ['https://2130706433/', 'The URL has no public address.'],
    ['https://0x7f.0.0.1/', 'The URL has no public address.'],
    ['https://0177.0.0.1/', 'The URL has no public address.'],
    ['https://169.254.169.254/latest/meta-data', 'The URL has no public address.'],
    ['https://[::1]/', 'The URL has no public address.'],
    ['https://[::ffff:127.0.0.1]/', 'The URL has no public address.'],
    ['https://[fd00::1]/', 'The URL has no public address.'],
  ])('%s is refused without a connection', async (url, message) => {
    const { outcome, connections } = await ask(url)
    expect(outcome).toEqual(new UnfitUrl(message))
    expect(connections).toEqual([])
  })
})

describe('the answer', () => {
  it('is not requested from a URL of more than 2000 characters', async () => {
    const { outcome, connections } = await ask(host.url(`/${'a'.repeat(2000)}`))
    expect(outcome).toEqual(new UnfitUrl('The URL is longer than 2000 characters.'))
    expect(connections).toEqual([])
  })

  it('is the JSON of a host with a certificate from a trusted root', async () => {
    host.serve('/document', { body: { name: 'Ä' } })
    const { outcome, connections } = await ask(host.url('/document'))
    expect(outcome).toEqual({ status: 200, body: { name: 'Ä' }, freshSeconds: undefined })
    expect(connections).toEqual([publicAddress])
  })

  it('is refused from a host whose certificate is untrusted or for another name', async () => {
    host.serve('/secret', { body: {} })
    const { certificate } = makeCertificate(['agent.example.com'])
    const other = { resolve: () => Promise.resolve([publicAddress]) }
    for (const { outcome } of [
      await ask(host.url('/secret'), { trustedRoots: [certificate] }),
      await ask('https://other.example.com/secret', other),
    ])
      expect(outcome).toEqual(new PublicFetchError('The host could not be reached.'))
    expect(host.requests('/secret')).toBe(0)
  })

  it('is never taken from the target of a redirect', async () => {
    host.serve('/target', { body: {} })
    host.serve('/moved', { status: 302, headers: { Location: host.url('/target') } })
    const { outcome } = await ask(host.url('/moved'))
    expect(outcome).toEqual({ status: 302, body: undefined, freshSeconds: undefined })
    expect(host.requests('/target')).toBe(0)
  })

  it.each([
    ['of another type', { headers: { 'Content-Type': 'text/html' } }, /content type/],
    ['compressed', { headers: { 'Content-Encoding': 'gzip' } }, /compressed/],
    ['not JSON', { body: '{"a":' }, /The answer is not JSON\.$/],
    ['larger than 64 kB', { body: { a: 'x'.repeat(65_536) } }, /larger than 65536 bytes/],
  ])('is refused if it is %s', async (_what, answer, message) => {
    host.serve('/odd', answer)
    const { outcome } = await ask(host.url('/odd'))
    expect(outcome).toBeInstanceOf(PublicFetchError)
    expect((outcome as Error).message).toMatch(message)
  })

  it('is aborted at the size limit even if the host never stops sending', async () => {
    host.serve('/flood', { body: 'x'.repeat(70_000), drips: true })
    const { outcome } = await ask(host.url('/flood'))
    expect(outcome).toEqual(new AnswerTooLarge('The answer is larger than 65536 bytes.'))
  })

  it('is asked for with the name of this service', async () => {
    host.serve('/named', { body: {} })
    await ask(host.url('/named'), { userAgent: 'Vitrine (+https://api.example.com)' })
    expect(host.userAgents().at(-1)).toBe('Vitrine (+https://api.example.com)')
  })

  it('of exactly 64 kB is accepted', async () => {
    const text = `"${'x'.repeat(65_534)}"`
    host.serve('/full', { body: text })
    expect((await ask(host.url('/full'))).outcome).toMatchObject({ body: 'x'.repeat(65_534) })
  })
})

describe('a proxy', () => {
  /** Tunnels to the host, and records what it was asked for. */
  async function startProxy(status = 200) {
    const asked: string[] = []
    const proxy = createHttpServer()
    proxy.on('connect', (request, socket: Socket) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`)
      if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`)
      const tunnel = host.fetchParts.connect(publicAddress, 443)
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      tunnel.pipe(socket).on('error', () => tunnel.destroy())
      socket.pipe(tunnel).on('error', () => socket.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    return { asked, port, close: () => proxy.close() }
  }

  it('is asked for the host by name, which is not resolved here', async () => {
    const proxy = await startProxy()
    host.serve('/proxied', { body: { ok: true } })
    const { outcome } = await ask(host.url('/proxied'), {
      proxy: new URL(`http://user:pass%20word@127.0.0.1:${proxy.port}`),
      resolve: () => Promise.reject(new Error('There is no name service.')),
    })
    expect(outcome).toMatchObject({ status: 200, body: { ok: true } })
    expect(proxy.asked).toEqual(['agent.example.com:443 Basic dXNlcjpwYXNzIHdvcmQ='])
    proxy.close()
  })

  it('that refuses makes the host unreachable', async () => {
    const proxy = await startProxy(403)
    const { outcome } = await ask(host.url('/proxied'), {
      proxy: new URL(`http://127.0.0.1:${proxy.port}`),
    })
    expect(outcome).toEqual(new PublicFetchError('The host could not be reached.'))
    proxy.close()
  })

  it('is not asked for an address that is not public', async () => {
    const proxy = await startProxy()
    const { outcome } = await ask('https://10.0.0.1/', {
      proxy: new URL(`http://127.0.0.1:${proxy.port}`),
    })
    expect(outcome).toEqual(new UnfitUrl('The URL has no public address.'))
    expect(proxy.asked).toEqual([])
    proxy.close()
  })
})

describe('the time limit', () => {
  const timeLimitMilliseconds = 150
  const tooLate = new PublicFetchError('The host took too long to answer.')

  it('ends an answer that trickles in', async () => {
    host.serve('/drips', { body: '{}', drips: true })
    const { outcome } = await ask(host.url('/drips'), { timeLimitMilliseconds })
    expect(outcome).toEqual(tooLate)
  })

  it('ends a name lookup that never returns', async () => {
    const resolve = () => new Promise<string[]>(() => undefined)
    const { outcome, connections } = await ask(host.url('/'), { resolve, timeLimitMilliseconds })
    expect(outcome).toEqual(tooLate)
    expect(connections).toEqual([])
  })

  it('ends a silent connection, and closes it', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).resume())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const { outcome } = await ask(host.url('/'), {
      connect: () => connect(port, '127.0.0.1'),
      timeLimitMilliseconds,
    })
    expect(outcome).toEqual(tooLate)
    // The server closes only after every connection has.
    await new Promise<void>((resolve) => silent.close(() => resolve()))
  })
})

describe('the cache lifetime of an answer', () => {
  const date = 'Sun, 06 Nov 2033 08:00:00 GMT'
  it.each([
    [{}, undefined],
    [{ 'Cache-Control': 'max-age=600' }, 600],
    [{ 'Cache-Control': 'public, max-age=600, s-maxage=30' }, 30],
    [{ 'Cache-Control': 'max-age=600', Age: '200' }, 400],
    [{ 'Cache-Control': 'max-age=600', Age: '700' }, 0],
    [{ 'Cache-Control': 'max-age=600, no-cache' }, 0],
    [{ 'Cache-Control': 'no-store' }, 0],
    [{ 'Cache-Control': 'max-age=nonsense' }, undefined],
    [{ Date: date, Expires: 'Sun, 06 Nov 2033 09:00:00 GMT' }, 3600],
    [{ Date: date, Expires: 'Sun, 06 Nov 2033 07:00:00 GMT' }, 0],
    [{ Expires: '0' }, 0],
  ])('with %j is %s seconds', async (headers, freshSeconds) => {
    host.serve('/fresh', { body: {}, headers: headers })
    expect((await ask(host.url('/fresh'))).outcome).toHaveProperty('freshSeconds', freshSeconds)
  })
})

describe('concurrent requests', () => {
  it('for one URL share one answer', async () => {
    host.serve('/shared', { body: { ok: true } })
    const publicFetch = createPublicFetch(host.fetchParts)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => publicFetch(host.url('/shared'), `client ${index}`)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(host.requests('/shared')).toBe(1)
    await publicFetch(host.url('/shared'), 'client 0')
    expect(host.requests('/shared')).toBe(2)
  })

  const busy = new PublicFetchBusy('Too many documents are being fetched.')
  const tooLate = new PublicFetchError('The host took too long to answer.')
  /** Outcomes of this many concurrent requests to hosts that never answer. */
  const outcomes = (count: number, clientOf: (index: number) => string) => {
    const publicFetch = createPublicFetch({
      resolve: () => new Promise<string[]>(() => undefined),
      timeLimitMilliseconds: 150,
    })
    const fetches = Array.from({ length: count }, (_, index) =>
      publicFetch(host.url(`/${index}`), clientOf(index)).catch((error: unknown) => error),
    )
    return Promise.all(fetches)
  }

  it('are bounded', async () => {
    const all = await outcomes(33, (index) => `client ${index}`)
    expect(all).toEqual([...Array<Error>(32).fill(tooLate), busy])
  })

  it('of one client are bounded lower, and leave room for others', async () => {
    const all = await outcomes(7, (index) => (index < 6 ? 'one' : 'another'))
    expect(all).toEqual([...Array<Error>(4).fill(tooLate), busy, busy, tooLate])
  })
})
