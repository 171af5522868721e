import { shareSize } from '../../domain/media/picture_variants.ts'
import type { Drawable } from '../jsx_runtime.ts'
import { scriptPath } from '../look/files.ts'
import { stylesheetOf } from '../look/stylesheets.ts'
import type { Shop, ShopPage } from '../shop.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { shareUrlOf } from './srcset.ts'

interface DocumentProps {
  shop: Shop
  page: ShopPage
  /** What stands in the page itself. */
  style: string
  /** Whether links open beside the page, which runs no script. */
  isPreview?: boolean | undefined
}

/** The whole HTML document of a page, without its doctype. */
export function Document(props: DocumentProps): Drawable {
  const { shop, page } = props
  const { language, template, t } = shop
  return (
    <html lang={language}>
      <Head {...props} />
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

function Head({ shop, page, style, isPreview }: DocumentProps): Drawable {
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
      {isPreview && <base target="_blank" />}
      {description !== '' && <meta name="description" content={description} />}
      {!isListed && <meta name="robots" content="noindex" />}
      {status === 200 && <link rel="canonical" href={url} />}
      <meta property="og:site_name" content={shop.name} />
      <meta property="og:locale" content={locales[shop.website.language]} />
      <meta property="og:type" content={page.path.startsWith('/p/') ? 'product' : 'website'} />
      <meta property="og:title" content={title} />
      {description !== '' && <meta property="og:description" content={description} />}
      {status === 200 && <meta property="og:url" content={url} />}
      {shown && <SharePicture url={shown} alt={image ? title : shop.name} />}
      {shop.logo && <link rel="icon" href={shop.logo} />}
      <style>{style}</style>
      {!isPreview && <SchemeScript />}
      <Stylesheet template={shop.template.key} media={page.top && 'computer'} />
      {page.hasScript && <OwnScript />}
      {facts.map((fact) => (
        <script type="application/ld+json">{JSON.stringify(fact)}</script>
      ))}
    </head>
  )
}

function SharePicture({ url, alt }: { url: string; alt: string }): Drawable {
  return (
    <>
      <meta property="og:image" content={shareUrlOf(url)} />
      <meta property="og:image:type" content="image/jpeg" />
      <meta property="og:image:width" content={shareSize.width} />
      <meta property="og:image:height" content={shareSize.height} />
      <meta property="og:image:alt" content={alt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

const screens = { computer: '(min-width:720px)', phone: '(max-width:719px)' }

interface StylesheetProps {
  template: string
  /** The screens that wait for it here. */
  media?: keyof typeof screens | undefined
}

/**
 * The stylesheet of a template. A browser paints nothing that stands after it until it is here. A page with rules
 * for its top therefore has it in the head for computers, and for phones beneath what they show first.
 */
export function Stylesheet({ template, media }: StylesheetProps): Drawable {
  const { path } = stylesheetOf(template)
  return <link rel="stylesheet" href={path} media={media && screens[media]} />
}

/**
 * What chooses between the style's colours for light and dark. A browser paints nothing before it has run, or a visitor
 * would see the others first. It must not wait for the stylesheet, which comes after it.
 */
function SchemeScript(): Drawable {
  const path = scriptPath('scheme')
  return path !== undefined && <script src={path} />
}

/** The small script of the pages; a module, so that it waits for the page. */
function OwnScript(): Drawable {
  const path = scriptPath('shop')
  return path !== undefined && <script type="module" src={path} data-parts={scriptPath('chat')} />
}

interface NoticeProps {
  language: string
  title: string
  /** Empty where the form says enough. */
  hint: string
  /** Where visitors may write to, and how that is worded. */
  contact?: { email: string; label: string } | undefined
  /** Colours and fonts, as a style. */
  theme: string
  template: string
  /** What a visitor can do here. */
  form?: Drawable
  hasScript: boolean
  /** What the link to report the shop says. */
  report?: string | undefined
}

/** A document that shows nothing of a shop but, at most, its name and contact. */
export function Notice(props: NoticeProps): Drawable {
  const { language, title, hint, contact, theme, template, form, hasScript, report } = props
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="/favicon.ico" />
        <style>{theme}</style>
        {hasScript && <SchemeScript />}
        <Stylesheet template={template} />
        {hasScript && <OwnScript />}
      </head>
      <body class="t-notice">
        <main id="main" class="wide">
          <div class="alone">
            <h1>{title}</h1>
            {hint !== '' && <p class="soft">{hint}</p>}
            {form}
            {contact && (
              <p>
                <a class="button" href={`mailto:${contact.email}`}>
                  {contact.label}
                </a>
              </p>
            )}
            {report !== undefined && (
              <p class="small">
                <a href="/report" rel="nofollow">
                  {report}
                </a>
              </p>
            )}
          </div>
        </main>
      </body>
    </html>
  )
}
