import type { Kysely } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { parseJson } from '../../core/json_text.ts'
import { beginningOf as charactersOf } from '../../core/text.ts'
import { parsedUrl } from '../../core/urls.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { listKeptAnswers } from '../../queries/assistant/kept_answers.ts'
import { getPublishedProductBySlug } from '../../queries/catalogue/published.ts'
import { findProductWindow } from '../../queries/site/product_windows.ts'
import { pathFacts, productFacts } from '../documents/facts.ts'
import type { Drawable } from '../jsx_runtime.ts'
import { Ask, Instead } from '../parts/ask.tsx'
import { Stylesheet } from '../parts/document.tsx'
import { Kept } from '../parts/kept.tsx'
import { Crumbs, firstLetterOf, hasMaker, ProductGrid } from '../parts/lists.tsx'
import { beginningOf, Details, Prose, summaryOf } from '../parts/prose.tsx'
import { ofProduct, srcsetOf } from '../parts/srcset.ts'
import type { Shop, ShopPage } from '../shop.ts'
import { Asked } from './about.tsx'
import { Tags } from './lists.tsx'

type Product = components['schemas']['Product']

/** The published product, by its slug unless it is read otherwise; undefined if there is none. */
export async function findShownProduct(
  db: Kysely<Database>,
  workspaceId: string,
  name: string,
  read = getPublishedProductBySlug,
): Promise<Product | undefined> {
  try {
    return parseJson(await read(db, workspaceId, name))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Characters of each text on a product's page. Where one is cut, a page of its own has both whole. */
const shownText = 20_000

/** Questions to ask with a click. */
const suggestedQuestions = 5

export async function productPage(
  db: Kysely<Database>,
  shop: Shop,
  slug: string,
): Promise<ShopPage | undefined> {
  const { workspaceId, t } = shop
  const found = await findProductWindow(db, workspaceId, slug)
  if (!found) return undefined
  const { product, hasAnswers, related } = found
  const asked = found.questions ?? shop.questions
  const kept = hasAnswers ? await keptFor(db, workspaceId, product.id, asked) : []
  const isKept = new Set(kept.map(({ question }) => question))
  const questions = asked.filter(({ text }) => !isKept.has(text))
  const path = `/p/${product.slug}`
  // Without pictures there is little to show before the stylesheet.
  const top = product.images.length > 0 ? 'product' : undefined
  const description = beginningOf(product.description, 5000)
  return {
    path,
    title: `${product.name} · ${shop.name}`,
    description: summaryOf(product.description, product.information, nameAt(shop, product)),
    image: product.images[0]?.url,
    hasScript: shop.assistant.isOn,
    top,
    facts: [
      pathFacts(shop, [
        ['/products', t('products')],
        [path, product.name],
      ]),
      productFacts(shop, product, description),
    ],
    body: (
      <div class="wide">
        <Crumbs shop={shop} links={[['/products', t('products')]]} />
        <article class="product">
          <Gallery shop={shop} product={product} />
          <div class="facts">
            {top && <Stylesheet template={shop.template.key} media="phone" />}
            {hasMaker(shop, product) && <p class="brand">{product.brand}</p>}
            <h1>{product.name}</h1>
            <Availability shop={shop} product={product} />
            <Buy shop={shop} product={product} />
            <Texts shop={shop} product={product} path={path} />
            <p class="soft small">{`${t('sku')}: ${product.sku}`}</p>
            <Tags tags={product.tags} />
            <Questions shop={shop} product={product} questions={questions} kept={kept} />
          </div>
        </article>
        {related.length > 0 && (
          <section class="section">
            <div class="bar">
              <h2>{t('related')}</h2>
            </div>
            <ProductGrid shop={shop} cards={related} />
          </section>
        )}
      </div>
    ),
  }
}

/** All that there is to say of a product without texts. */
function nameAt({ t, name }: Shop, product: Product): string {
  return t('productSummary', { product: product.name, name })
}

/** What can be asked: of the assistant where it is on, else by mail. */
function Questions({ shop, product, questions, kept }: PartProps & AskedQuestions): Drawable {
  const { t, assistant } = shop
  if (!assistant.isOn && questions.length + kept.length === 0) return null
  const asked =
    questions.length > 0 ? <Asked shop={shop} questions={questions} about={product.name} /> : null
  return (
    <div class="more" id="ask">
      <h2>{t(assistant.isOn ? 'askTitle' : 'productQuestions')}</h2>
      {kept.length > 0 && <Kept answers={kept} />}
      {assistant.isOn ? (
        <Ask
          shop={shop}
          kind="product"
          productId={product.id}
          questions={questions.slice(0, suggestedQuestions)}
          placeholder={t('askPlaceholder')}
          fallback={asked ?? <Instead shop={shop} about={product.name} />}
        />
      ) : (
        asked
      )}
    </div>
  )
}

/** The answers to a product's questions that are of its present texts. */
export async function keptFor(
  db: Kysely<Database>,
  workspaceId: string,
  productId: string,
  questions: components['schemas']['ProductQuestion'][],
): Promise<components['schemas']['KeptAnswer'][]> {
  if (questions.length === 0) return []
  const texts = questions.map(({ text }) => text)
  const kept = await listKeptAnswers(db, { workspaceId, productId }, texts)
  return kept.filter(({ state }) => state === 'CURRENT')
}

interface AskedQuestions {
  questions: { text: string }[]
  kept: components['schemas']['KeptAnswer'][]
}

interface PartProps {
  shop: Shop
  product: Product
}

function Gallery({
  shop: { template, language, t },
  product: { name, images },
}: PartProps): Drawable {
  const [width, height] = template.picture
  if (images.length === 0)
    return (
      <div class="picture">
        <span class="none" aria-hidden="true">
          {firstLetterOf(name, language)}
        </span>
      </div>
    )
  const count = images.length
  return (
    <ul class="gallery">
      {images.map(({ url }, index) => (
        <li>
          <a href={url}>
            <img
              src={url}
              srcset={srcsetOf(url, ofProduct.widths)}
              sizes={ofProduct.sizes}
              alt={count === 1 ? name : t('picture', { name, number: index + 1, count })}
              width={width}
              height={height}
              loading={index === 0 ? undefined : 'lazy'}
              fetchpriority={index === 0 ? 'high' : undefined}
              decoding="async"
            />
          </a>
        </li>
      ))}
    </ul>
  )
}

function Availability({ shop: { t }, product: { stock } }: PartProps): Drawable {
  const isAvailable = stock > 0
  return <p class={isAvailable ? 'state' : 'state out'}>{t(isAvailable ? 'inStock' : 'soldOut')}</p>
}

/** Where the product is sold. Links lead through our own address, which names the host before. */
function Buy({ shop, product: { slug, name, sales, stock } }: PartProps): Drawable {
  const { t, website } = shop
  if (sales.length === 0) {
    const { contactEmail } = website
    const mail = `mailto:${contactEmail}?subject=${encodeURIComponent(name)}`
    return (
      <p class="buy">
        <a class="button" href={contactEmail === null ? '/feedback' : mail}>
          {t('askWhere')}
        </a>
      </p>
    )
  }
  const isAvailable = stock > 0
  return (
    <ul class="buy">
      {sales.map((sale, index) => (
        <li>
          <a
            class={index === 0 && isAvailable ? 'button main' : 'button'}
            href={`/out/${slug}/${index}`}
            rel="nofollow noopener"
          >
            {t(isAvailable ? 'buyAt' : 'seeAt', { shop: sale.name })}
            <span class="host">{hostOf(sale.link)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function hostOf(link: string): string {
  return parsedUrl(link)?.host.replace(/^www\./, '') ?? ''
}

function Texts({ shop: { t }, product, path }: PartProps & { path: string }): Drawable {
  const { description, information } = product
  const isCut = [description, information].some((text) => text.length > shownText)
  return (
    <>
      {description !== '' && (
        <div class="text" data-source>
          <Prose text={charactersOf(description, shownText)} />
        </div>
      )}
      {information !== '' && (
        <div class="more inside" data-source>
          <h2>{t('details')}</h2>
          <Details text={charactersOf(information, shownText)} />
        </div>
      )}
      {isCut && (
        <p>
          <a href={`${path}/information`}>{t('readAll')}</a>
        </p>
      )}
    </>
  )
}

/** All texts of a product, for those that are too long for its page. */
export async function informationPage(
  db: Kysely<Database>,
  shop: Shop,
  slug: string,
): Promise<ShopPage | undefined> {
  const { t } = shop
  const product = await findShownProduct(db, shop.workspaceId, slug)
  if (!product) return undefined
  const { name, description, information } = product
  const title = t('moreInfo', { name })
  return {
    path: `/p/${product.slug}/information`,
    title: `${title} · ${shop.name}`,
    description: summaryOf(information, description, nameAt(shop, product)),
    isListed: false,
    body: (
      <div class="wide">
        <Crumbs shop={shop} links={[[`/p/${product.slug}`, name]]} />
        <div class="head">
          <h1>{title}</h1>
        </div>
        <div class="text">
          <Prose text={description} />
          <Details text={information} />
        </div>
      </div>
    ),
  }
}
