import { limits } from '../../generated/limits.ts'
import type { components } from '../../generated/types.ts'
import { consentTexts, turkishScopes } from './consent_texts.ts'
import { html, type Html, type HtmlPage } from '../pages/html.ts'
import { type PageLanguage, type PageText, say } from '../pages/page_texts.ts'

type ConsentRequest = components['schemas']['ConsentRequest']
type AskedScope = ConsentRequest['scopes'][number]

/** The texts of these pages in one language, as text. */
type Words = (text: PageText, values?: Record<string, string>) => string

const wordsIn =
  (language: PageLanguage): Words =>
  (text, values) =>
    say(language, text, values)

/** The ways to sign in, and what was wrong with the last attempt. */
interface SignIn {
  /** Where a third-party sign-in begins, with the way back; undefined where there is none. */
  thirdParty: string | undefined
  /** What was typed last, to be mended. */
  email?: string
  fault?: Html | undefined
}

export function emailPage(
  language: PageLanguage,
  { thirdParty, email = '', fault }: SignIn,
): HtmlPage {
  const t = wordsIn(language)
  const other =
    thirdParty === undefined
      ? undefined
      : html`<p class="aside"><a href="${thirdParty}">${t(consentTexts.provider)}</a></p>`
  const body = html`<p>${t(consentTexts.signInHint)}</p>
    <form method="post" novalidate>
      <input type="hidden" name="step" value="code" />
      <div class="field">
        <label for="email">${t(consentTexts.email)}</label>
        <input
          id="email"
          type="email"
          name="email"
          value="${email}"
          autocomplete="email"
          required
          autofocus
          ${tiedTo(fault)}
        />
        ${faultOf(fault)}
      </div>
      <button class="primary">${t(consentTexts.sendCode)}</button>
    </form>
    ${other}`
  return { language, title: t(consentTexts.signIn), body }
}

export function codePage(
  language: PageLanguage,
  { email, fault }: { email: string; fault?: Html | undefined },
): HtmlPage {
  const t = wordsIn(language)
  const body = html`<p>${t(consentTexts.codeSent)} <strong>${email}</strong></p>
    <form method="post" novalidate>
      <input type="hidden" name="step" value="session" />
      <input type="hidden" name="email" value="${email}" />
      <div class="field">
        <label for="code">${t(consentTexts.code)}</label>
        <input
          id="code"
          name="code"
          inputmode="numeric"
          maxlength="${String(limits.OneTimeCode.maxLength)}"
          autocomplete="one-time-code"
          required
          autofocus
          ${tiedTo(fault)}
        />
        ${faultOf(fault)}
      </div>
      <button class="primary">${t(consentTexts.enter)}</button>
    </form>
    <p class="aside"><a href="">${t(consentTexts.otherAddress)}</a></p>`
  return { language, title: t(consentTexts.signIn), body }
}

export function consentPage(
  language: PageLanguage,
  request: ConsentRequest,
  fault?: Html,
): HtmlPage {
  const t = wordsIn(language)
  const body = html`<p>${t(consentTexts.actsFor)}</p>
    ${factsOf(t, request)} ${warningOf(t, request)}
    <form method="post">
      <input type="hidden" name="step" value="decide" />
      <fieldset>
        <legend>${t(consentTexts.may)}</legend>
        <p class="hint">${t(consentTexts.mayHint)}</p>
        ${faultOf(fault)}
        ${request.scopes.map((scope, place) => scopeBox(language, scope, { fault, place }))}
      </fieldset>
      <div class="decide">
        <button class="primary" name="decision" value="allow">${t(consentTexts.allow)}</button>
        <button name="decision" value="deny">${t(consentTexts.deny)}</button>
      </div>
    </form>
    <div class="aside">
      ${t(consentTexts.notYours)}
      <form method="post">
        <input type="hidden" name="step" value="sign_out" />
        <button class="link">${t(consentTexts.switch)}</button>
      </form>
    </div>`
  return { language, title: t(consentTexts.asks, { name: request.clientName }), body }
}

/** Who asks, from where and for which account. */
function factsOf(t: Words, request: ConsentRequest): Html {
  return html`<dl class="facts">
    <div>
      <dt>${t(consentTexts.account)}</dt>
      <dd><b>${request.accountEmail}</b></dd>
    </div>
    <div>
      <dt>${t(consentTexts.callsItself)}</dt>
      <dd>${request.clientName}<small>${t(consentTexts.unchecked)}</small></dd>
    </div>
    <div>
      <dt>${t(consentTexts.knownAs)}</dt>
      <dd><code>${request.clientId}</code></dd>
    </div>
    <div>
      <dt>${t(consentTexts.answersAt)}</dt>
      <dd><code>${request.redirectHost}</code></dd>
    </div>
  </dl>`
}

/** Ticked, unless somebody has just unticked them all: nothing is ticked again behind their back. */
function scopeBox(
  language: PageLanguage,
  { name, description }: AskedScope,
  { fault, place }: { fault: Html | undefined; place: number },
): Html {
  const ticked = fault ? undefined : html`checked`
  const first = fault && place === 0 ? html`autofocus` : undefined
  const changes = name.endsWith(':write')
    ? html`<em class="tag">${say(language, consentTexts.changes)}</em>`
    : undefined
  return html`<label class="check">
    <input type="checkbox" name="scopes" value="${name}" ${ticked} ${first} ${tiedTo(fault)} />
    <span>
      ${language === 'tr' ? turkishScopes[name] : description}
      <small><code>${name}</code> ${changes}</small>
    </span>
  </label>`
}

function warningOf(t: Words, { loopbackOnly }: ConsentRequest): Html | undefined {
  if (!loopbackOnly) return undefined
  return html`<p class="notice">
    <strong>${t(consentTexts.loopback)}</strong> ${t(consentTexts.loopbackHint)}
  </p>`
}

/** After the decision. A redirect would be one of a form, which `form-action` keeps on this site. */
export function onwardPage(language: PageLanguage, redirectTo: string): HtmlPage {
  const t = wordsIn(language)
  const body = html`<p>${t(consentTexts.onwardHint)}</p>
    <p><a href="${redirectTo}">${t(consentTexts.goOn)}</a></p>`
  return { language, title: t(consentTexts.onward), body, refreshTo: redirectTo }
}

export function refusalPage(language: PageLanguage, sentence: Html): HtmlPage {
  return { language, title: say(language, consentTexts.refused), body: html`<p>${sentence}</p>` }
}

const faultId = 'fault'

function faultOf(fault: Html | undefined): Html | undefined {
  return fault && html`<p class="error" id="${faultId}" role="alert">${fault}</p>`
}

/** Ties a field to what is wrong with it. */
function tiedTo(fault: Html | undefined): Html | undefined {
  return fault && html`aria-invalid="true" aria-describedby="${faultId}"`
}
