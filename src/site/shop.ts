import type { Kysely } from 'kysely'
import { notFound } from '../core/errors.ts'
import type { Database } from '../db/schema.ts'
import type { components } from '../generated/types.ts'
import { sectorOf } from '../domain/assistant/ai_chats.ts'
import { getCatalogueCounts } from '../queries/catalogue/counters.ts'
import type { FoundSite } from '../queries/site/found_sites.ts'
import {
  findImageUrl,
  findShopSettings,
  listShownTags,
  type ShownTag,
} from '../queries/site/shop_windows.ts'
import { fill, type TextValues } from '../texts/fill.ts'
import { type Language, type ServiceTexts, serviceTexts } from '../texts/languages.ts'
import type { Drawable } from './jsx_runtime.ts'
import type { Top } from './look/first_rules.ts'
import { type SiteTemplate, templateOf } from './look/templates.ts'
import { themeStyle } from './look/theme.ts'

type ShopText = keyof ServiceTexts['shop']

/** What every page of a shop shows or refers to. */
export interface Shop {
  workspaceId: string
  name: string
  /** The origin of the shop's pages, from its stored name. */
  url: string
  website: components['schemas']['Website']
  language: Language
  template: { key: string } & SiteTemplate
  /** The owner's colours and fonts, as a style. */
  theme: string
  logo: string | undefined
  /** Whether search engines may list it. A new shop waits: most spam never gets three products. */
  isListed: boolean
  products: number
  collections: number
  /** The first of its tags. */
  tags: ShownTag[]
  questions: components['schemas']['ProductQuestion'][]
  /** What the shop answers of itself. */
  knowledge: components['schemas']['ShopAnswer'][]
  assistant: ShopAssistant
  /** A text in the language of the site. */
  t: (key: ShopText, values?: TextValues) => string
}

/** What visitors may ask the shop's assistant. */
interface ShopAssistant {
  /** Whether anyone may ask anything. */
  isOn: boolean
  hasRoutines: boolean
  hasFaces: boolean
  /** The cheapest of the modes that the owner offers. */
  level: 'LOW' | 'MEDIUM'
}

function assistantOf(
  { templateKey, accessPolicy }: Shop['website'],
  { fastEnabled, comprehensiveEnabled, sector }: components['schemas']['AiSettings'],
): ShopAssistant {
  const asks = accessPolicy.customerDailyRequests + accessPolicy.guestDailyRequests > 0
  const isOn = asks && (fastEnabled || comprehensiveEnabled)
  const isBeauty = sectorOf(sector, templateKey) === 'BEAUTY'
  return {
    isOn,
    hasRoutines: isOn && isBeauty,
    hasFaces: isOn && isBeauty && comprehensiveEnabled,
    level: fastEnabled ? 'LOW' : 'MEDIUM',
  }
}

/** Tags beside the list of all products. */
const tagsShown = 24

/** Published products from which on a shop may be listed by search engines. */
const listedFrom = 3

export function wordsOf(language: Language): Shop['t'] {
  return (key, values) => fill(language, serviceTexts[language].shop[key], values)
}

export async function loadShop(db: Kysely<Database>, site: FoundSite, url: string): Promise<Shop> {
  const { workspaceId, name, website } = site
  const { language, logoImageId } = website
  const settings = await findShopSettings(db, { workspaceId })
  if (!settings) throw notFound('workspace')
  const { active, collections } = await getCatalogueCounts(db, workspaceId)
  const template = templateOf(website.templateKey, site.design)
  const logo = logoImageId && (await findImageUrl(db, { workspaceId, id: logoImageId }))?.url
  return {
    workspaceId,
    name,
    url,
    website,
    language,
    template,
    theme: themeStyle(website.theme, template),
    logo: logo ?? undefined,
    isListed: active >= listedFrom,
    products: active,
    collections,
    tags: await listShownTags(db, { workspaceId, limit: tagsShown }),
    questions: settings.questions,
    knowledge: settings.knowledge,
    assistant: assistantOf(website, settings),
    t: wordsOf(language),
  }
}

/** A page of a shop, before it is drawn. */
export interface ShopPage {
  /** Its own address: a path, with the parameters that count. */
  path: string
  title: string
  description: string
  /** The picture that stands for it where it is shared. */
  image?: string | null | undefined
  /** Whether search engines may list it, if they may list the shop. */
  isListed?: boolean
  status?: number
  /** Whether it shows a search that found nothing. */
  hasNoHit?: boolean
  /** Whether it has parts that a script brings to life. */
  hasScript?: boolean
  /** What it shows first, for a page that is painted before its stylesheet is here. It places that itself. */
  top?: Top | undefined
  /** What machines read of it, as schema.org words it. */
  facts?: object[]
  body: Drawable
}
