import { hostOfProvider } from '../../adapters/models/providers.ts'
import { limits } from '../../generated/limits.ts'
import type { Config } from '../../settings/config.ts'
import type { Drawable } from '../jsx_runtime.ts'
import { Ask, Instead } from '../parts/ask.tsx'
import { Field } from '../parts/forms.tsx'
import type { Shop, ShopPage } from '../shop.ts'

interface Texts {
  path: string
  title: string
  hint: string
}

function assistantPage(shop: Shop, { path, title, hint }: Texts, body: Drawable): ShopPage {
  return {
    path,
    title: `${title} · ${shop.name}`,
    description: hint,
    hasScript: true,
    body: (
      <div class="wide">
        <div class="head">
          <h1>{title}</h1>
          <p class="soft">{hint}</p>
        </div>
        <div class="text stack">{body}</div>
      </div>
    ),
  }
}

/** Products in the order of use; undefined where the assistant makes no routines. */
export function routinePage(shop: Shop): ShopPage | undefined {
  const { t, assistant } = shop
  if (!assistant.hasRoutines) return undefined
  const texts = { path: '/routine', title: t('routineTitle'), hint: t('routineHint') }
  const questions = [t('routineMorning'), t('routineEvening')].map((text) => ({ text }))
  const body = (
    <Ask
      shop={shop}
      kind="routine"
      questions={questions}
      placeholder={t('routinePlaceholder')}
      fallback={<Instead shop={shop} />}
    >
      <Field
        name="skinType"
        label={t('skinType')}
        input={{
          maxlength: limits.UserProfile.skinType.maxLength,
          placeholder: t('skinTypeExample'),
        }}
      />
      <Field
        name="concerns"
        label={t('concerns')}
        input={{
          maxlength: limits.UserProfile.concerns.items.maxLength,
          placeholder: t('concernsExample'),
        }}
      />
    </Ask>
  )
  return assistantPage(shop, texts, body)
}

/** What a picture of a face shows; undefined where the assistant looks at none. */
export function facePage(shop: Shop, { ai }: Pick<Config, 'ai'>): ShopPage | undefined {
  const { t, assistant } = shop
  if (!assistant.hasFaces) return undefined
  const host = hostOfProvider(ai)
  const texts = { path: '/face', title: t('faceTitle'), hint: t('faceHint') }
  const body = (
    <Ask shop={shop} kind="face" placeholder="" fallback={<Instead shop={shop} />}>
      <Field
        name="picture"
        label={t('facePicture')}
        input={{ type: 'file', accept: 'image/*', required: true }}
      />
      {host !== undefined && <p class="soft small">{t('faceModel', { host })}</p>}
    </Ask>
  )
  return assistantPage(shop, texts, body)
}
