import { afterAll, beforeAll, test } from 'vitest'
import { exchange, openConnection, requestText } from './raw_http.ts'
import { startService, type TestService } from './service.ts'
let service: TestService
beforeAll(async () => { service = await startService() })
afterAll(() => service.close())
const show = async (title: string, run: () => Promise<unknown>) => {
  try { console.log(title, JSON.stringify(await Promise.race([run(), new Promise(r => setTimeout(() => r('TIMEOUT'), 9000))])).slice(0, 900)) } catch (e) { console.log(title, 'ERR', String(e)) }
}
test('explore', async () => {
  const owner = await service.givenPerson(); const { key } = await service.givenKey(owner)
  const ws = await service.givenWorkspace(owner)
  const A = { Authorization: `Bearer ${key}` }
  const api = service.urls.api
  await show('no host', () => exchange(api, 'GET /healthz HTTP/1.1\r\n\r\n'))
  await show('expect', () => exchange(api, requestText('GET', '/healthz', { headers: { Expect: 'banana' } })))
  await show('absolute', () => exchange(api, requestText('GET', 'http://localhost/v1/workspaces', { headers: A })))
  await show('options *', () => exchange(service.urls.dashboard, requestText('OPTIONS', '*')))
  await show('garbage', () => exchange(api, 'BANANA\r\n\r\n'))
  await show('te+cl', () => exchange(api, requestText('POST', '/v1/workspaces', { headers: { ...A, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked', 'Content-Length': '5' }, })))
  await show('bigheader', () => exchange(api, requestText('GET', '/healthz', { headers: { 'X-Big': 'a'.repeat(17000) } })))
  await show('proto', () => exchange(api, requestText('GET', '/v1/workspaces?__proto__=1', { headers: A })))
  await show('constructor', () => exchange(api, requestText('GET', '/v1/workspaces?constructor=1', { headers: A })))
  await show('range', () => exchange(api, requestText('GET', '/docs/swagger-ui.css', { headers: { Range: 'bytes=99999999-' } })))
  await show('ifmatch', () => exchange(api, requestText('GET', '/docs/swagger-ui.css', { headers: { 'If-Match': '"x"' } })))
  await show('post openapi', () => exchange(api, requestText('POST', '/v1/openapi.json', { headers: { } })))
  await show('docs%zz', () => exchange(api, requestText('GET', '/docs/%zz')))
  await show('docs%00', () => exchange(api, requestText('GET', '/docs/%00')))
  await show('%zz', () => exchange(api, requestText('GET', '/v1/workspaces/%zz/website', { headers: A })))
  await show('q%zz', () => exchange(api, requestText('GET', '/v1/workspaces?page=%zz', { headers: A })))
  await show('docs', () => exchange(api, requestText('GET', '/docs/index.html')))
  await show('connect', () => exchange(api, 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n'))
  await show('upgrade', () => exchange(api, requestText('GET', '/healthz', { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } })))
  await show('preflight', () => exchange(api, requestText('OPTIONS', '/v1/workspaces', { headers: { Origin: 'https://x.example', 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' } })))
  await show('double slash', () => exchange(api, requestText('GET', '//v1/workspaces', { headers: A })))
  await show('root', () => exchange(api, requestText('GET', '/')))
  await show('docs no slash', () => exchange(api, requestText('GET', '/docs?x=1')))
  await show('half close', async () => { const c = await openConnection(api); c.send(requestText('POST', '/v1/workspaces', { headers: { ...A, 'Content-Type': 'application/json', 'Content-Length': '50' } }) + '{"a"'); c.socket.end(); return c.answer() })
  await show('half close GET', async () => { const c = await openConnection(api); c.send(requestText('GET', '/v1/workspaces', { headers: { ...A  } })); c.socket.end(); return c.answer() })
  await show('413 cl', async () => { const t = Date.now(); const c = await openConnection(api); c.send(requestText('POST', '/v1/workspaces', { headers: { ...A, 'Content-Type': 'application/json', 'Content-Length': `${5 * 1024 * 1024 + 1}` } })); const a = await c.answer(); const t1 = Date.now() - t; await c.ended; return [a, t1, Date.now() - t] })
  await show('flood', async () => { const t = Date.now(); const c = await openConnection(api); c.send(requestText('POST', '/v1/workspaces', { headers: { ...A, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' } }));
    let sent = 0; let stop = false; void c.ended.then(() => stop = true); let at = 0
    void c.answer().then(() => at = sent)
    while (!stop) { const ok = c.socket.write('100000\r\n' + 'a'.repeat(1048576) + '\r\n'); sent++; if (!ok) await Promise.race([new Promise(r => c.socket.once('drain', r)), c.ended]); else await new Promise(r => setImmediate(r)) }
    return { sent, at, ms: Date.now() - t } })
  for (const [n, body] of [['scopes ints', `{"name":"x","expiresInDays":1,"scopes":[${'1,'.repeat(50_000)}1]}`], ['scopes strings', `{"name":"x","expiresInDays":1,"scopes":[${'"a",'.repeat(20_000)}"b"]}`], ['keys', `{${Array.from({ length: 50000 }, (_, i) => `"k${i}":1`).join(',')}}`]] as const)
    await show(n, async () => { const t = Date.now(); const r = await service.dashboard(owner).post('/api/keys').set('Content-Type', 'application/json').send(body); return [r.status, r.text.length, Date.now() - t, r.text.slice(0, 100)] })
  await show('deep', async () => { const r = await service.dashboard(owner).post('/api/keys').set('Content-Type', 'application/json').send(`{"name":${'['.repeat(10000)}${']'.repeat(10000)},"expiresInDays":1,"scopes":[]}`); return [r.status, r.text.slice(0, 300)] })
  void ws
  console.log(service.logged().map((l) => JSON.stringify({ ...l, time: undefined })).join('\n'))
}, 120000)
