import type { Log } from './core/log.ts'
import { productValues, questionLibrary } from './demo/catalogue.ts'
import { products } from './demo/products.ts'
import { rehearse } from './domain/assistant/built_in/rehearsal.ts'
import { openRouter } from './surfaces/call/pipeline.ts'

/** After the start's own work, and after the end of most services that are started for a check. */
const delay = 1000

const rehearsed = 16

/**
 * Reads and compiles what a process's first chat needs before a visitor waits for it: in a shop of 500 products
 * that chat took 560 ms of processor time, and takes 110 after this, which takes half a second itself. The
 * texts are the demo's, in both languages; the database is not asked. Neither the service's start nor its
 * end waits for it.
 */
export function warmUpLater(log: Log): void {
  setTimeout(() => {
    warmUp().catch((err: unknown) => log.warn({ err }, 'The assistant was not warmed up.'))
  }, delay).unref()
}

async function warmUp(): Promise<void> {
  const sample = products.slice(0, rehearsed)
  await rehearse(
    sample.map((product) => ({ id: product.sku, tags: product.tags, ...productValues(product) })),
    questionLibrary,
  )
  const router = await openRouter()
  for (const operation of ['chat_about_product', 'chat_about_routine'])
    router.bodyErrors(operation, {})
}
