import { request } from 'node:http'
import { demoSubDomain } from '../../src/demo/demo.ts'

/** Reads a path of the demo's shop as a person at another device does. */
function read(siteDomain: string, path: string, device: number): Promise<string> {
  const { port } = new URL(`http://${siteDomain}`)
  const headers = {
    Host: `${demoSubDomain}.${siteDomain}`,
    'User-Agent': `Mozilla/5.0 (device ${device})`,
    Referer: device % 3 === 0 ? 'https://search.example/' : 'https://social.example/',
  }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.once('end', () => resolve(text))
    })
    sent.once('error', reject).end()
  })
}

/** Lets people visit the shop, so that there is something to see in its figures. */
export async function visitShop(siteDomain: string): Promise<void> {
  const list = await read(siteDomain, '/products', 0)
  const products = [...new Set(list.match(/\/p\/[^"]+/g))]
  for (let device = 1; device <= 60; device++) {
    await read(siteDomain, '/', device)
    for (let step = 0; step < device % 4; step++) {
      const product = products[(device * 7 + step * 3) % products.length]!
      await read(siteDomain, product, device)
      if (step === 2) await read(siteDomain, `${product.replace('/p/', '/out/')}/0`, device)
    }
    if (device % 12 === 0) await read(siteDomain, '/search?q=retinol', device)
  }
}
