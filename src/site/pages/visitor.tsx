import { limits } from '../../generated/limits.ts'
import type { Drawable } from '../jsx_runtime.ts'
import { Field, Outcome, ProtectedForm } from '../parts/forms.tsx'
import { summaryOf } from '../parts/prose.tsx'
import type { Shop, ShopPage } from '../shop.ts'

/** What a form was sent with, and what is wrong with it. */
export interface SentForm {
  /** What is wrong as a whole. */
  fault?: string
  faults?: Record<string, string>
  values?: Record<string, string>
  /** Whether it was done. */
  done?: boolean
}

/** Where a visitor is in signing in. */
export interface SigningIn extends SentForm {
  /** The address that a code was mailed to. */
  mailed: string | undefined
  /** The page to return to. */
  to: string
  isChallenged: boolean
}

/** What is said of the pages of one visitor. */
const summaries = {
  '/sign-in': 'signInLead',
  '/account': 'accountSummary',
  '/feedback': 'feedbackHint',
  '/report': 'reportHint',
} as const

/** A page of one visitor, which no search engine lists. */
export function ownPage(
  shop: Shop,
  path: keyof typeof summaries,
  title: string,
  body: Drawable,
): ShopPage {
  return {
    path,
    title: `${title} · ${shop.name}`,
    description: summaryOf(shop.t(summaries[path], { name: shop.name })),
    isListed: false,
    hasScript: true,
    body: (
      <div class="wide">
        <div class="head">
          <h1>{title}</h1>
        </div>
        <div class="text stack">{body}</div>
      </div>
    ),
  }
}

export function signInPage(shop: Shop, state: SigningIn): ShopPage {
  const { t } = shop
  const body = (
    <>
      <p class="soft">{t('signInLead')}</p>
      <SignIn shop={shop} state={state} />
    </>
  )
  return ownPage(shop, '/sign-in', t('signIn'), body)
}

interface SignInProps {
  shop: Pick<Shop, 'workspaceId' | 't'>
  state: SigningIn
}

/** The form of the step that is due: an address, then the code that was mailed there. */
export function SignIn({ shop, state }: SignInProps): Drawable {
  const { t } = shop
  const { mailed, to, isChallenged, fault, faults = {}, values = {} } = state
  if (mailed !== undefined)
    return (
      <form class="form" method="post" action="/sign-in">
        <p>{t('codeMailed', { email: mailed })}</p>
        {fault !== undefined && <Outcome fault={fault} />}
        <input type="hidden" name="to" value={to} />
        <Field
          name="code"
          label={t('code')}
          fault={faults.code}
          input={{
            inputmode: 'numeric',
            autocomplete: 'one-time-code',
            value: values.code,
            // It may be pasted with spaces, which are left out.
            maxlength: 2 * limits.OneTimeCode.maxLength,
            required: true,
            autofocus: true,
          }}
        />
        <button type="submit" class="button main" name="step" value="session">
          {t('signIn')}
        </button>
        <button type="submit" class="plain" name="step" value="other" formnovalidate>
          {t('otherAddress')}
        </button>
      </form>
    )
  return (
    <ProtectedForm
      shop={shop}
      siteKey={isChallenged ? shop.workspaceId : undefined}
      action="/sign-in"
    >
      {fault !== undefined && <Outcome fault={fault} />}
      <input type="hidden" name="to" value={to} />
      <input type="hidden" name="step" value="code" />
      <Address t={t} faults={faults} values={values} />
      <button type="submit" class="button main">
        {t('mailCode')}
      </button>
    </ProtectedForm>
  )
}

type PartProps = Pick<Shop, 't'> & Required<Pick<SentForm, 'faults' | 'values'>>

/** Who writes: name and email address. */
function Address({ t, faults, values }: PartProps) {
  return (
    <>
      <Field
        name="name"
        label={t('yourName')}
        fault={faults.name}
        input={{
          value: values.name,
          autocomplete: 'name',
          maxlength: limits.PersonName.maxLength,
          required: true,
        }}
      />
      <Field
        name="email"
        label={t('email')}
        fault={faults.email}
        input={{
          type: 'email',
          value: values.email,
          autocomplete: 'email',
          maxlength: limits.Email.maxLength,
          required: true,
        }}
      />
    </>
  )
}

/** What is written, and the button that sends it. A browser would cut what is pasted, without a word. */
function Message(props: PartProps & { label: string; longest: number }) {
  const { t, faults, values, label, longest } = props
  return (
    <>
      <Field
        name="message"
        label={label}
        hint={t('messageHint', { count: longest })}
        fault={faults.message}
      >
        <textarea
          id="message"
          name="message"
          rows="6"
          required
          aria-describedby={faults.message ? 'message-hint message-fault' : 'message-hint'}
          aria-invalid={faults.message ? 'true' : undefined}
        >
          {values.message ?? ''}
        </textarea>
      </Field>
      <button type="submit" class="button main">
        {t('send')}
      </button>
    </>
  )
}

export function feedbackPage(shop: Shop, attempt: SentForm): ShopPage {
  const { t, name } = shop
  const { faults = {}, fault, values = {}, done } = attempt
  const shown = { t, faults, values }
  const body = done ? (
    <>
      <Outcome done={t('feedbackThanks')} />
      <p>
        <a class="button" href="/">
          {t('home')}
        </a>
      </p>
    </>
  ) : (
    <>
      <p class="soft">{t('feedbackHint', { name })}</p>
      <form class="form" method="post" action="/feedback">
        {fault !== undefined && <Outcome fault={fault} />}
        <Message
          {...shown}
          label={t('message')}
          longest={limits.FeedbackCreate.message.maxLength}
        />
      </form>
    </>
  )
  return ownPage(shop, '/feedback', t('feedbackTitle'), body)
}

/** Leaves room for the address of the shop, which we add. */
export const longestReport = limits.ContactMessage.message.maxLength - 200

export function reportPage(shop: Shop, attempt: SentForm): ShopPage {
  const { t, name } = shop
  const body = (
    <>
      {!attempt.done && <p class="soft">{t('reportHint')}</p>}
      <Report t={t} attempt={attempt} />
    </>
  )
  return ownPage(shop, '/report', t('reportTitle', { name }), body)
}

/**
 * Tells the people who run the service what is wrong with a shop. It works without a script, as everything does that
 * a visitor may need, and so without a challenge.
 */
export function Report({ t, attempt }: Pick<Shop, 't'> & { attempt: SentForm }): Drawable {
  const { faults = {}, fault, values = {}, done } = attempt
  if (done) return <Outcome done={t('reportThanks')} />
  const shown = { t, faults, values }
  return (
    <form class="form" method="post" action="/report">
      {fault !== undefined && <Outcome fault={fault} />}
      <Address {...shown} />
      <Message {...shown} label={t('reportMessage')} longest={longestReport} />
    </form>
  )
}
