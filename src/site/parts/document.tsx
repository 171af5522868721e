import type { Drawable } from '../jsx_runtime.ts'
import { scriptPath } from '../look/files.ts'
import type { Shop, ShopPage } from '../shop.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

/** What a document needs beside its page. */
export interface Assets {
  /** The path of the template's stylesheet. */
  stylesheet: string
  /** The owner's colours and fonts, as a style of its own. */
  theme: string
  /** Whether links open beside the page. */
  isPreview?: boolean | undefined
}

interface DocumentProps {
  shop: Shop
  page: ShopPage
  assets: Assets
}

/** The whole HTML document of a page, without its doctype. */
export function Document({ shop, page, assets }: DocumentProps): Drawable {
  const { language, template, t } = shop
  return (
    <html lang={language}>
      <Head {...{ shop, page, assets }} />
      <body class={`t-${template.key}`}>
        <a class="skip" href="#main">
          {t('skip')}
        </a>
        <Header shop={shop} path={page.path} />
        <main id="main">{page.body}</main>
        <Footer shop={shop} />
      </body>
    </html>
  )
}

const locales: Record<Shop['website']['language'], string> = { en: 'en_GB', tr: 'tr_TR' }

function Head({ shop, page, assets }: DocumentProps): Drawable {
  const { title, description, image, facts = [], status = 200 } = page
  const url = shop.url + page.path
  const isListed = shop.isListed && page.isListed !== false && status === 200
  const shown = image ?? shop.logo
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content={shop.website.theme.primaryColor} />
      <title>{title}</title>
      {assets.isPreview && <base target="_blank" />}
      {description !== '' && <meta name="description" content={description} />}
      {!isListed && <meta name="robots" content="noindex" />}
      {status === 200 && <link rel="canonical" href={url} />}
      <meta property="og:site_name" content={shop.name} />
      <meta property="og:locale" content={locales[shop.website.language]} />
      <meta property="og:type" content={page.path.startsWith('/p/') ? 'product' : 'website'} />
      <meta property="og:title" content={title} />
      {description !== '' && <meta property="og:description" content={description} />}
      {status === 200 && <meta property="og:url" content={url} />}
      {shown && <meta property="og:image" content={shown} />}
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
      <link rel="icon" href={shop.logo ?? '/favicon.ico'} />
      <link rel="stylesheet" href={assets.stylesheet} />
      <style>{assets.theme}</style>
      {page.hasScript && <OwnScript />}
      {facts.map((fact) => (
        <script type="application/ld+json">{JSON.stringify(fact)}</script>
      ))}
    </head>
  )
}

/** The small script of the pages; a module, so that it waits for the page. */
function OwnScript(): Drawable {
  const path = scriptPath('shop')
  return path !== undefined && <script type="module" src={path} data-parts={scriptPath('chat')} />
}

interface NoticeProps {
  language: string
  title: string
  hint: string
  /** Where visitors may write to, and how that is worded. */
  contact?: { email: string; label: string } | undefined
  assets: Assets
  /** What a visitor can do here. */
  form?: Drawable
}

/** A document that shows nothing of a shop but, at most, its name and contact. */
export function Notice({ language, title, hint, contact, assets, form }: NoticeProps): Drawable {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="/favicon.ico" />
        <link rel="stylesheet" href={assets.stylesheet} />
        <style>{assets.theme}</style>
        {form && <OwnScript />}
      </head>
      <body class="t-notice">
        <main id="main" class="wide">
          <div class="alone">
            <h1>{title}</h1>
            <p class="soft">{hint}</p>
            {form}
            {contact && (
              <p>
                <a class="button" href={`mailto:${contact.email}`}>
                  {contact.label}
                </a>
              </p>
            )}
          </div>
        </main>
      </body>
    </html>
  )
}
