import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import {
  type Card,
  listNewestCards,
  listShownCollections,
  type ShownCollection,
} from '../../queries/site/shop_windows.ts'
import { organizationFacts } from '../documents/facts.ts'
import type { Drawable } from '../jsx_runtime.ts'
import type { HomeSection } from '../look/templates.ts'
import { Stylesheet } from '../parts/document.tsx'
import { atTop, CollectionGrid, ProductGrid } from '../parts/lists.tsx'
import { beginningOf, Prose, summaryOf } from '../parts/prose.tsx'
import { ofGroup, ofPage, srcsetOf } from '../parts/srcset.ts'
import type { Shop, ShopPage } from '../shop.ts'

interface HomeParts {
  shop: Shop
  cards: Card[]
  collections: ShownCollection[]
}

/** Collections on the home page; the others have a page of their own. */
const collectionsAtHome = 8

export async function homePage(db: Kysely<Database>, shop: Shop): Promise<ShopPage> {
  const { workspaceId, template, website, name, products, t } = shop
  const newest = { page: 1, pageSize: template.newest }
  const cards = await listNewestCards(db, workspaceId, newest, shop.products)
  const first = { page: 1, pageSize: collectionsAtHome }
  const { collections } = await listShownCollections(db, workspaceId, first)
  const parts = { shop, cards, collections: collections.filter(({ products }) => products > 0) }
  const { seo, headline, tagline } = website
  const own = [headline, tagline].join(' ')
  const usual =
    products === 0 ? t('soonSummary', { name }) : t('homeSummary', { name, count: products })
  return {
    path: '/',
    title: seo.title || name,
    description: seo.description || summaryOf(own, usual),
    image: heroPicturesOf(parts)[0],
    facts: [organizationFacts(shop)],
    top: 'home',
    body: [
      // A design may leave the headline out; a page has one all the same.
      !template.home.includes('HERO') && <h1 class="hidden">{shop.name}</h1>,
      template.home.map((section) => sections[section](parts)),
      <Stylesheet template={template.key} media="phone" />,
    ],
  }
}

const sections: Record<HomeSection, (parts: HomeParts) => Drawable> = {
  HERO: Hero,
  PRODUCTS: Newest,
  COLLECTIONS: Collections,
  ABOUT: About,
}

/** Covers of collections, then of products: a shop without pictures has none. */
function heroPicturesOf({ shop, cards, collections }: HomeParts): string[] {
  const covers = [...collections, ...cards].map(({ cover }) => cover)
  const known = covers.filter((cover) => cover !== null)
  return [...new Set(known)].slice(0, shop.template.heroPictures || 1)
}

function Hero(parts: HomeParts): Drawable {
  const { shop } = parts
  const { website, template, t } = shop
  const pictures = template.heroPictures === 0 ? [] : heroPicturesOf(parts)
  return (
    <section class={pictures.length > 0 ? 'hero pictured' : 'hero'}>
      <div class="wide">
        <div class="words">
          {/* Where nothing stands beside it, the name above the page says enough. */}
          <h1 class={website.headline === '' && template.heroPictures === 0 ? 'hidden' : undefined}>
            {website.headline || shop.name}
          </h1>
          {website.tagline !== '' && <p>{website.tagline}</p>}
          {shop.products === 0 ? (
            <p>{t('openingSoon')}</p>
          ) : (
            <p class="acts">
              <a class="button main" href="/products">
                {t('browse')}
              </a>
            </p>
          )}
        </div>
        {template.heroPictures === 3 && <Shots pictures={pictures} />}
      </div>
      {template.heroPictures === 1 && <Shots pictures={pictures} />}
    </section>
  )
}

function Shots({ pictures }: { pictures: string[] }): Drawable {
  if (pictures.length === 0) return null
  const { widths, sizes } = pictures.length > 1 ? ofGroup : ofPage
  return (
    <div class="shots">
      {pictures.map((src, index) => (
        <img
          src={src}
          srcset={srcsetOf(src, widths)}
          sizes={sizes}
          alt=""
          width="1200"
          height="900"
          decoding="async"
          fetchpriority={index === 0 ? 'high' : undefined}
        />
      ))}
    </div>
  )
}

function Newest({ shop, cards }: HomeParts): Drawable {
  const { t, template } = shop
  if (cards.length === 0) return null
  return (
    <section class="section wide">
      <div class="bar">
        <h2>{t('newest')}</h2>
        {shop.products > cards.length && <a href="/products">{t('seeAll')}</a>}
      </div>
      <ProductGrid
        shop={shop}
        cards={cards}
        isFirst
        inView={template.home[0] === 'HERO' && template.heroPictures > 0 ? 0 : atTop}
      />
    </section>
  )
}

function Collections({ shop, collections }: HomeParts): Drawable {
  const { t } = shop
  if (collections.length === 0) return null
  return (
    <section class="section wide">
      <div class="bar">
        <h2>{t('collections')}</h2>
        {shop.collections > collections.length && <a href="/collections">{t('seeCollections')}</a>}
      </div>
      <CollectionGrid shop={shop} collections={collections} />
    </section>
  )
}

/** Characters of the text about the shop on its home page. */
const aboutAtHome = 420

function About({ shop }: HomeParts): Drawable {
  const { website, t } = shop
  if (website.about === '') return null
  const isWhole = website.about.length <= aboutAtHome
  return (
    <section class="section wide">
      <div class="text story">
        <h2>{t('aboutTitle', { name: shop.name })}</h2>
        <Prose text={isWhole ? website.about : beginningOf(website.about, aboutAtHome)} />
        {!isWhole && (
          <p>
            <a href="/about">{t('readAll')}</a>
          </p>
        )}
      </div>
    </section>
  )
}
