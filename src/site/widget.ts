import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { limits } from '../generated/limits.ts'
import { getPublishedProduct } from '../queries/catalogue/published.ts'
import { getPublishedQuestions } from '../queries/catalogue/questions.ts'
import type { FoundSite } from '../queries/site/found_sites.ts'
import { inkOn } from './look/colors.ts'
import { scriptPath } from './look/files.ts'
import { findShownProduct } from './pages/product.tsx'
import { type Shop, wordsOf } from './shop.ts'
import { conversationWords } from './parts/ask.tsx'
import type { Written } from './documents/documents.ts'

/**
 * The script that an owner puts into a page of their own: a button in a closed shadow root, which loads
 * the conversation when it is clicked. Small, because every page of that site loads it. It runs under a
 * strict policy: no inline style, no markup, no evaluation.
 */
const loader = `((d,o)=>{
const s=d.currentScript,h=d.createElement("div"),root=h.attachShadow({mode:"closed"}),b=d.createElement("button"),c=new CSSStyleSheet,k=o.colors,product=s.dataset.product;
if(!product)return;
c.replaceSync(":host{all:initial}:host>button{position:fixed;right:16px;bottom:16px;z-index:2147483647;min-height:48px;padding:0 20px;border:0;border-radius:24px;background:"+k.brand+";color:"+k.ink+";font:600 16px system-ui;cursor:pointer;box-shadow:0 2px 12px #0004}");
root.adoptedStyleSheets=[c];b.textContent=o.label;root.append(b);
b.onclick=()=>{b.disabled=true;import(o.shop+o.script).then(m=>m.open({...o,root,button:b,product})).catch(()=>b.disabled=false)};
d.body.append(h)})(document,`

/** The widget's script for a shop; undefined where its parts are not built. */
export function widgetLoader(site: FoundSite, url: string): string | undefined {
  const script = scriptPath('widget')
  if (script === undefined) return undefined
  const t = wordsOf(site.website.language)
  const brand = site.website.theme.primaryColor
  const opening = {
    shop: url,
    script,
    workspace: site.workspaceId,
    name: site.name,
    label: t('askTitle'),
    colors: { brand, ink: inkOn(brand) },
  }
  // A script is no place for what ends one.
  const json = JSON.stringify(opening).replaceAll('<', '\\u003c')
  return `${loader.replaceAll('\n', '')}${json});`
}

const type = 'application/json'

/** What the widget says of a product, named by its id or slug; where it may not be asked about, what stands there. */
export async function widgetSubject(
  db: Kysely<Database>,
  shop: Shop,
  name: string,
): Promise<Written> {
  const { workspaceId, t } = shop
  const read = name.startsWith('prod_') ? getPublishedProduct : undefined
  const product = await findShownProduct(db, workspaceId, name, read)
  const path = product ? `/p/${product.slug}` : '/'
  const words = { ...conversationWords(shop), close: t('close') }
  if (!product) {
    const away = { says: t('askUnknown'), path, label: shop.name }
    return { type, text: JSON.stringify({ away, words }), status: 404 }
  }
  if (!shop.assistant.isOn) {
    const away = { says: words.silent, path, label: product.name }
    return { type, text: JSON.stringify({ away, words }) }
  }
  const questions = await getPublishedQuestions(db, workspaceId, product.id)
  const subject = {
    productId: product.id,
    path,
    label: product.name,
    level: shop.assistant.level,
    questions: questions.map(({ text }) => text),
    longest: limits.ChatMessage.maxLength,
    words: {
      ...words,
      placeholder: t('askPlaceholder'),
      ask: t('askSend'),
      note: t('askNote'),
    },
  }
  return { type, text: JSON.stringify(subject) }
}
