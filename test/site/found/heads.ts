import { Parser } from 'htmlparser2'
import type { OpenShop } from '../window/shop_pages.ts'

export interface Head {
  title: string
  /** What search engines and messengers read, by name. */
  meta: Record<string, string>
  canonical: string | undefined
}

/** The head of a page, as a browser reads it. */
export function headOf(html: string): Head {
  const head: Head = { title: '', meta: {}, canonical: undefined }
  let isTitle = false
  const parser = new Parser({
    onopentag(tag, { name, property, content, rel, href }) {
      // A drawing may have a title, too.
      isTitle = tag === 'title' && head.title === ''
      const called = name ?? property
      if (tag === 'meta' && called !== undefined && content !== undefined)
        head.meta[called] = content
      if (rel === 'canonical') head.canonical = href
    },
    ontext: (text) => void (isTitle && (head.title += text)),
    onclosetag: () => void (isTitle = false),
  })
  parser.write(html)
  parser.end()
  return head
}

/** The paths of a shop's sitemap. */
export async function mappedIn(shop: OpenShop): Promise<string[]> {
  const { text, body } = await shop.visit('/sitemap.xml')
  const document = text ?? String(body)
  return [...document.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, path]) => path!)
}
