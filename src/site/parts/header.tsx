import { limits } from '../../generated/limits.ts'
import type { Drawable } from '../jsx_runtime.ts'
import type { Shop } from '../shop.ts'
import { srcsetOf } from './srcset.ts'

export function Header({ shop, path }: { shop: Shop; path: string }): Drawable {
  const { name, logo, t } = shop
  return (
    <header class="top">
      <div class="wide">
        <a class="shop" href="/">
          {logo && (
            <img
              src={logo}
              srcset={srcsetOf(logo, [320])}
              sizes="144px"
              alt=""
              width="44"
              height="44"
            />
          )}
          <span>{name}</span>
        </a>
        <a class="seek" href="/search" aria-label={t('search')}>
          <Lens />
        </a>
        <nav class="nav" aria-label={t('navigation')}>
          <ul>
            {linksOf(shop).map(([href, label]) => (
              <li>
                <a href={href} aria-current={path === href ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <SearchForm shop={shop} id="q" isLandmark />
        <a class="me" href="/account" aria-label={t('account')}>
          <Person />
        </a>
      </div>
    </header>
  )
}

/** The pages that the shop has something for. */
function linksOf(shop: Shop): [href: string, label: string][] {
  const { products, collections, questions, knowledge, website, assistant, t } = shop
  const links: [string, string][] = []
  if (products > 0) links.push(['/products', t('products')])
  if (collections > 0) links.push(['/collections', t('collections')])
  if (products > 0 && assistant.hasRoutines) links.push(['/routine', t('routine')])
  if (products > 0 && assistant.hasFaces) links.push(['/face', t('face')])
  if (website.about !== '') links.push(['/about', t('about')])
  if (questions.length + knowledge.length > 0) links.push(['/faq', t('faq')])
  return links
}

interface SearchFormProps {
  shop: Shop
  id: string
  value?: string
  /** The search of the whole site, of which a page has one. */
  isLandmark?: boolean
}

export function SearchForm({ shop, id, value, isLandmark }: SearchFormProps): Drawable {
  const { t } = shop
  return (
    <form class="find" action="/search" role={isLandmark ? 'search' : undefined}>
      <label class="hidden" for={id}>
        {t('searchLabel')}
      </label>
      <input
        id={id}
        name="q"
        type="search"
        value={value}
        placeholder={t('search')}
        maxlength={maxSearch}
        autocomplete="off"
      />
      <button type="submit" aria-label={t('search')}>
        <Lens />
      </button>
    </form>
  )
}

function Lens(): Drawable {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="8.5" cy="8.5" r="5.5" fill="none" stroke="currentColor" stroke-width="1.6" />
      <path d="M13 13l4.5 4.5" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
    </svg>
  )
}

function Person(): Drawable {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="6.5" r="3.5" fill="none" stroke="currentColor" stroke-width="1.6" />
      <path
        d="M3 17.5c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5"
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
        stroke-linecap="round"
      />
    </svg>
  )
}

export const maxSearch = limits.ProductSelection.search.maxLength
