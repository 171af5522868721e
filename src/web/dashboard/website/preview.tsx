import { useRef } from 'preact/hooks'
import { api, ask, withWholeProducts } from '../../api.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { isColor, type WebsiteValues } from './values.ts'
import '../../styles/fonts.css'

/** Black or white, whichever contrasts better with the colour. */
function readableOn(color: string): string {
  const channels = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = channels.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000000' : '#ffffff'
}

/** Miniature of the site with the form's current values. */
export function Preview({ values }: { values: WebsiteValues }) {
  const t = texts('website')
  const { workspaceName } = useWorkspace()
  const products = useShownProducts()
  const primary = useColor(values['theme.primaryColor'])
  const accent = useColor(values['theme.accentColor'])
  return (
    <section class="card" aria-labelledby="preview">
      <h2 id="preview">{t('preview')}</h2>
      <div
        class={`site ${values.templateKey}`}
        style={{ fontFamily: `'${values['theme.font']}', system-ui, sans-serif` }}
      >
        <div class="site-head" style={{ background: primary, color: readableOn(primary) }}>
          <div class="site-brand">
            {values.logo ? <img src={values.logo.url} alt="" /> : null}
            <span>{workspaceName}</span>
          </div>
          <strong>{values.headline || t('previewHeadline')}</strong>
          <p>{values.tagline || t('previewTagline')}</p>
          <span class="site-button" style={{ background: accent, color: readableOn(accent) }}>
            {t('previewAsk')}
          </span>
        </div>
        <div class="site-products">
          {products?.map(({ id, name, images: [cover] }) => (
            <div key={id}>
              {cover ? (
                <img class="site-picture" src={cover.url} alt="" loading="lazy" />
              ) : (
                <span class="site-picture none" style={{ background: accent }} />
              )}
              <span class="clamp">{name}</span>
            </div>
          ))}
          {products?.length === 0 ? <p>{t('previewNoProducts')}</p> : null}
        </div>
        {values.about === '' ? null : <p class="site-about">{values.about}</p>}
        <SiteFoot values={values} />
      </div>
    </section>
  )
}

/** Contact and links, as far as there are any. */
function SiteFoot({ values }: { values: WebsiteValues }) {
  const links = values.socialLinks.split('\n').filter((line) => line.trim() !== '')
  if (values.contactEmail === '' && links.length === 0) return null
  return (
    <p class="site-foot break">{[values.contactEmail, ...links].filter(Boolean).join(' · ')}</p>
  )
}

const shownProducts = 6

/** The newest products that visitors see. */
function useShownProducts() {
  const { workspaceId } = useWorkspace()
  const query = { status: ['ACTIVE'], pageSize: shownProducts, view: 'summary' } as const
  const list = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/products', {
          signal,
          params: { path: { workspaceId }, query: { ...query, status: [...query.status] } },
        }),
      ).then(withWholeProducts),
    [workspaceId],
  )
  return list.value?.products
}

/** Keeps the last valid colour while another is being typed. */
function useColor(value: string): string {
  const last = useRef('#222222')
  if (isColor(value)) last.current = value
  return last.current
}
