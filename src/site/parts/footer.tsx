import { parsedUrl } from '../../core/urls.ts'
import type { Drawable } from '../jsx_runtime.ts'
import type { Shop } from '../shop.ts'

export function Footer({ shop }: { shop: Shop }): Drawable {
  const { name, website, t } = shop
  const { tagline, contactEmail, socialLinks } = website
  return (
    <footer class="foot">
      <div class="wide">
        <div>
          <h2>{name}</h2>
          {tagline !== '' && <p class="soft">{tagline}</p>}
        </div>
        {contactEmail !== null && (
          <div>
            <h2>{t('contact')}</h2>
            <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          </div>
        )}
        {socialLinks.length > 0 && (
          <div>
            <h2>{t('follow')}</h2>
            <ul>
              {socialLinks.map((link) => (
                <li>
                  <a href={link} rel="me noopener nofollow">
                    {shortOf(link)}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )}
        <div>
          <h2>{t('more')}</h2>
          <ul>
            <li>
              <a href="/products">{t('products')}</a>
            </li>
            <li>
              <a href="/account">{t('account')}</a>
            </li>
            <li>
              <a href="/feedback">{t('feedback')}</a>
            </li>
            <li>
              <a href="/privacy">{t('privacy')}</a>
            </li>
            <li>
              <a href="/report" rel="nofollow">
                {t('report')}
              </a>
            </li>
          </ul>
          <SchemeChoice t={t} />
        </div>
      </div>
    </footer>
  )
}

/** Light or dark; `scheme.ts` knows the choices by their order. Without a script the system's setting decides. */
function SchemeChoice({ t }: Pick<Shop, 't'>): Drawable {
  return (
    <label class="scheme">
      {t('scheme')}
      <select>
        <option>{t('schemeSystem')}</option>
        <option>{t('schemeLight')}</option>
        <option>{t('schemeDark')}</option>
      </select>
    </label>
  )
}

/** Places that people know by name. No object, which has names of its own that a host may have, too. */
const places = new Map([
  ['facebook.com', 'Facebook'],
  ['instagram.com', 'Instagram'],
  ['linkedin.com', 'LinkedIn'],
  ['pinterest.com', 'Pinterest'],
  ['tiktok.com', 'TikTok'],
  ['wa.me', 'WhatsApp'],
  ['x.com', 'X'],
  ['youtube.com', 'YouTube'],
])

/** A link as people say it: the name of the place, or its host. */
function shortOf(link: string): string {
  const host = parsedUrl(link)?.host.replace(/^www\./, '') ?? link
  return places.get(host) ?? host
}
