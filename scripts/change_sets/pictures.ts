// npm run sets:pictures [-- products]
//
// How long an import takes whose products (5,000 by default) have a picture each, at a URL of its own,
// with one key at the default limits. The service runs in this process, because only so can it reach a
// host on loopback; the pictures are JPEG of 900 × 900.
import sharp from 'sharp'
import { startMetadataHost } from '../../test/kit/peers/metadata_host.ts'
import { startDemoService } from '../agents/demo_service.ts'
import { shopAt } from './shop.ts'

const products = Number(process.argv[2] ?? 5_000)
const host = await startMetadataHost(['images.example.com'])
const service = await startDemoService(host.fetchParts)

async function picture(index: number): Promise<Buffer> {
  const background = { r: index % 256, g: (index >> 8) * 10, b: 120 }
  return sharp({ create: { width: 900, height: 900, channels: 3, background } })
    .jpeg({ quality: 80 })
    .toBuffer()
}

try {
  const shop = await shopAt(() => service.url, service.demo.apiKey)
  const lines = ['sku,name,brand,barcode,images']
  for (let index = 0; index < products; index++) {
    host.serve(`/${index}.jpg`, { body: await picture(index) })
    lines.push(`P-${index},Pictured ${index},Ana,P-${index},${host.url(`/${index}.jpg`)}`)
  }
  const begun = performance.now()
  const set = await shop.plan(lines)
  const plannedAt = performance.now()
  if (set.counts.errors > 0) throw new Error(`${set.counts.errors} rows have errors.`)
  const { state } = await shop.step(set.id, 'apply')
  const seconds = (from: number, to: number) => Math.round((to - from) / 1000)
  console.table([
    {
      products,
      state,
      'plan, s': seconds(begun, plannedAt),
      'apply, s': seconds(plannedAt, performance.now()),
    },
  ])
} finally {
  await service.close()
  await host.close()
}
process.exit(0)
