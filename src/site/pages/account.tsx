import { limits } from '../../generated/limits.ts'
import type { components } from '../../generated/types.ts'
import { languages } from '../../texts/languages.ts'
import type { Drawable } from '../jsx_runtime.ts'
import { Field, Outcome } from '../parts/forms.tsx'
import type { Shop, ShopPage } from '../shop.ts'
import { type SentForm, ownPage } from './visitor.tsx'

type Schemas = components['schemas']
type Profile = Schemas['CustomerProfile']

/** What a customer has asked here. */
export interface Conversations {
  list: Schemas['ThreadSummary'][]
  /** The one that is shown. */
  shown?: Schemas['Thread']
}

export function accountPage(
  shop: Shop,
  profile: Profile,
  conversations: Conversations,
  attempt: SentForm,
): ShopPage {
  const { t } = shop
  const { values = {}, faults = {}, fault, done } = attempt
  const body = (
    <>
      <p class="soft">{t('signedInAs', { email: profile.email })}</p>
      <form class="form" method="post" action="/account">
        {fault !== undefined && <Outcome fault={fault} />}
        {done && <Outcome done={t('saved')} />}
        <Field
          name="name"
          label={t('yourName')}
          fault={faults.name}
          input={{
            value: values.name ?? profile.name,
            autocomplete: 'name',
            maxlength: limits.PersonName.maxLength,
            required: true,
          }}
        />
        <Field
          name="phone"
          label={t('phone')}
          hint={t('phoneHint')}
          fault={faults.phone}
          input={{
            type: 'tel',
            value: values.phone ?? profile.phone ?? '',
            autocomplete: 'tel',
            // Readers write it with spaces, which are left out.
            maxlength: 2 * limits.Phone.maxLength,
          }}
        />
        <Field name="language" label={t('language')} hint={t('languageHint')}>
          <Languages chosen={values.language ?? profile.language} />
        </Field>
        <button type="submit" class="button main" name="step" value="save">
          {t('save')}
        </button>
      </form>
      <Talks shop={shop} conversations={conversations} />
      <form class="form" method="post" action="/account" data-leaves>
        <button type="submit" class="button" name="step" value="signOut">
          {t('signOut')}
        </button>
      </form>
      <details class="more">
        <summary>{t('deleteMe')}</summary>
        <form class="form" method="post" action="/account" data-leaves>
          <p>{t('deleteMeHint')}</p>
          <button type="submit" class="button" name="step" value="delete">
            {t('deleteMeNow')}
          </button>
        </form>
      </details>
    </>
  )
  return ownPage(shop, '/account', t('accountTitle'), body)
}

/** The customer's conversations, each to be read or deleted. */
function Talks(props: { shop: Shop; conversations: Conversations }): Drawable {
  const { t, language } = props.shop
  const { list, shown } = props.conversations
  if (list.length === 0) return null
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return (
    <section class="more">
      <h2>{t('conversations')}</h2>
      <ul class="talks">
        {list.map(({ threadId, kind, productId, title, updatedAt }) => (
          <li id={threadId}>
            <form method="post" action={`/account#${threadId}`}>
              <input type="hidden" name="threadId" value={threadId} />
              <button type="submit" class="plain" name="step" value="conversation">
                {title}
              </button>
              <span class="soft small">{day.format(new Date(updatedAt))}</span>
              <button
                type="submit"
                class="plain small"
                name="step"
                value="forget"
                aria-label={t('forgetNamed', { title })}
              >
                {t('forget')}
              </button>
            </form>
            {shown?.threadId === threadId && (
              <>
                <Turns turns={shown.turns} />
                <GoOn shop={props.shop} thread={{ ...shown, kind, productId }} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Turns({ turns }: Pick<Schemas['Thread'], 'turns'>): Drawable {
  return (
    <ol class="talk said">
      {turns.map(({ role, text }) => (
        <li class={role === 'VISITOR' ? 'you' : 'them'}>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  )
}

interface GoOnProps {
  shop: Shop
  thread: Schemas['Thread'] & Pick<Schemas['ThreadSummary'], 'kind' | 'productId'>
}

/** Leads to where the conversation was had, whose script shows it there. */
function GoOn({ shop: { t, assistant }, thread }: GoOnProps): Drawable {
  const { threadId, kind, productId, products } = thread
  const slug = products.find(({ id }) => id === productId)?.slug
  const product = assistant.isOn && kind === 'PRODUCT' && slug !== undefined && `/p/${slug}`
  const path = product || (assistant.hasRoutines && kind === 'ROUTINE' && '/routine')
  return (
    path && (
      <p>
        <a class="button" href={`${path}#talk=${threadId}`}>
          {t('goOn')}
        </a>
      </p>
    )
  )
}

/** The languages that we speak, and the visitor's own if it is another. */
function Languages({ chosen }: { chosen: string }): Drawable {
  const known = languages.some((language) => language === chosen)
  const shown = known ? languages : [chosen, ...languages]
  return (
    <select id="language" name="language" aria-describedby="language-hint">
      {shown.map((language) => (
        <option value={language} selected={language === chosen}>
          {languages.some((each) => each === language) ? nameOf(language) : language}
        </option>
      ))}
    </select>
  )
}

/** A language's name for itself. */
function nameOf(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
}
