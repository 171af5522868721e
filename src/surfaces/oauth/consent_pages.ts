import { limits } from '../../generated/limits.ts'
import type { components } from '../../generated/types.ts'
import { type Scope, scopes } from '../../generated/operations.ts'
import { fill } from '../../texts/fill.ts'
import {
  defaultLanguage,
  type Language,
  type ServiceTexts,
  serviceTexts,
} from '../../texts/languages.ts'
import { html, type Html, type HtmlPage } from '../pages/html.ts'

type ConsentRequest = components['schemas']['ConsentRequest']
type RequestedScope = ConsentRequest['scopes'][number]

type ConsentTexts = ServiceTexts['consent']

/** The contract describes scopes in the default language; every translation must cover them all. */
const translations: Record<
  Exclude<Language, typeof defaultLanguage>,
  { scopes: Record<Scope, string> }
> = serviceTexts

function scopeText(language: Language, scope: Scope): string {
  return language === defaultLanguage ? scopes[scope] : translations[language].scopes[scope]
}

/** The ways to sign in, and the error of the last attempt. */
interface SignIn {
  /** The name that the agent gave itself; undefined if its request is over. */
  agent: string | undefined
  /** The start URL of third-party sign-in, with the return path; undefined if not configured. */
  thirdParty: string | undefined
  /** The last input, to be corrected. */
  email?: string
  fault?: string | undefined
}

export function emailPage(
  language: Language,
  { agent, thirdParty, email = '', fault }: SignIn,
): HtmlPage {
  const t = serviceTexts[language].consent
  const other =
    thirdParty === undefined
      ? undefined
      : html`<p class="aside"><a href="${thirdParty}">${t.provider}</a></p>`
  const body = html`<p>${t.signInHint}</p>
    <form method="post" novalidate>
      <input type="hidden" name="step" value="code" />
      <div class="field">
        <label for="email">${t.email}</label>
        <input
          id="email"
          type="email"
          name="email"
          value="${email}"
          autocomplete="email"
          required
          autofocus
          ${faultAttributes(fault)}
        />
        ${faultMessage(fault)}
      </div>
      <button class="primary">${t.sendCode}</button>
    </form>
    ${other}`
  return { language, title: signInTitle(language, agent), body }
}

function signInTitle(language: Language, agent: string | undefined): string {
  const t = serviceTexts[language].consent
  return agent === undefined ? t.signIn : fill(language, t.signInFor, { name: agent })
}

export function codePage(
  language: Language,
  { agent, email, fault }: Omit<SignIn, 'thirdParty'> & { email: string },
): HtmlPage {
  const t = serviceTexts[language].consent
  const body = html`<p>${t.codeSent} <strong>${email}</strong></p>
    <form method="post" novalidate>
      <input type="hidden" name="step" value="session" />
      <input type="hidden" name="email" value="${email}" />
      <div class="field">
        <label for="code">${t.code}</label>
        <input
          id="code"
          name="code"
          inputmode="numeric"
          maxlength="${String(limits.OneTimeCode.maxLength)}"
          autocomplete="one-time-code"
          required
          autofocus
          ${faultAttributes(fault)}
        />
        ${faultMessage(fault)}
      </div>
      <button class="primary">${t.enter}</button>
    </form>
    <p class="hint">${t.linkHint}</p>
    <div class="aside">
      <form method="post">
        <input type="hidden" name="step" value="other_address" />
        <button class="link">${t.otherAddress}</button>
      </form>
    </div>`
  return { language, title: signInTitle(language, agent), body }
}

/** What a person has chosen besides the scopes. */
export interface ConsentChoice {
  askFirst: boolean
  /** Undefined for every workspace. */
  workspaceId: string | undefined
}

/** The choice, and the person's mistake. */
interface ConsentAttempt extends ConsentChoice {
  fault: string | undefined
}

export function consentPage(
  language: Language,
  request: ConsentRequest,
  { fault, askFirst, workspaceId }: ConsentAttempt,
): HtmlPage {
  const t = serviceTexts[language].consent
  const body = html`<p>${t.actsFor}</p>
    ${factsOf(t, request)} ${warningOf(t, request)}
    <form method="post">
      <input type="hidden" name="step" value="decide" />
      ${workspaceField(t, request, workspaceId)} ${askFirstBox(t, request, askFirst)}
      <fieldset>
        <legend>${t.may}</legend>
        <p class="hint">${t.mayHint}</p>
        ${faultMessage(fault)}
        ${request.scopes.map((scope, place) => scopeBox(language, scope, { fault, place }))}
      </fieldset>
      <div class="decide">
        <button class="primary" name="decision" value="allow">${t.allow}</button>
        ${readOnlyButton(t, request)}
        <button name="decision" value="deny">${t.deny}</button>
      </div>
    </form>
    <div class="aside">
      ${t.notYours}
      <form method="post">
        <input type="hidden" name="step" value="sign_out" />
        <button class="link">${t.switch}</button>
      </form>
    </div>`
  return { language, title: fill(language, t.asks, { name: request.clientName }), body }
}

/** The scopes of a request that change nothing. */
export function readingScopes({ scopes: requested }: ConsentRequest): Scope[] {
  return requested.map(({ name }) => name).filter((name) => !name.endsWith(':write'))
}

/** Only if it makes a difference and leaves at least one scope. */
function readOnlyButton(t: ConsentTexts, request: ConsentRequest): Html | undefined {
  const reading = readingScopes(request)
  if (reading.length === 0 || reading.length === request.scopes.length) return undefined
  return html`<button name="decision" value="read">${t.readOnly}</button>`
}

/** Shown for a single workspace, too: the account may own more one day. */
function workspaceField(
  t: ConsentTexts,
  { workspaces }: ConsentRequest,
  chosen: string | undefined,
): Html | undefined {
  if (workspaces.length === 0) return undefined
  const selected = (id: string) => (id === chosen ? html`selected` : undefined)
  return html`<div class="field">
    <label for="workspaceId">${t.where}</label>
    <select id="workspaceId" name="workspaceId" aria-describedby="everywhere">
      <option value="">${t.everywhere}</option>
      ${workspaces.map(({ id, name }) => html`<option value="${id}" ${selected(id)}>${name}</option>`)}
    </select>
    <p class="hint" id="everywhere">${t.everywhereHint}</p>
  </div>`
}

/** Only if the agent could lose anything. */
function askFirstBox(t: ConsentTexts, request: ConsentRequest, ticked: boolean): Html | undefined {
  if (readingScopes(request).length === request.scopes.length) return undefined
  return html`<label class="check">
    <input type="checkbox" name="askFirst" value="true" ${ticked ? html`checked` : undefined} />
    <span>${t.askFirst}<small>${t.askFirstHint}</small></span>
  </label>`
}

/** Which client asks, from where, and for which account. */
function factsOf(t: ConsentTexts, request: ConsentRequest): Html {
  return html`<dl class="facts">
    <div>
      <dt>${t.account}</dt>
      <dd><b>${request.accountEmail}</b></dd>
    </div>
    <div>
      <dt>${t.callsItself}</dt>
      <dd>${request.clientName}<small>${t.unchecked}</small></dd>
    </div>
    <div>
      <dt>${t.knownAs}</dt>
      <dd><code>${request.clientId}</code></dd>
    </div>
    <div>
      <dt>${t.answersAt}</dt>
      <dd><code>${request.redirectHost}</code></dd>
    </div>
  </dl>`
}

/** Checked by default, unless the person has just unchecked all: never silently check again. */
function scopeBox(
  language: Language,
  { name }: RequestedScope,
  { fault, place }: { fault: string | undefined; place: number },
): Html {
  const ticked = fault ? undefined : html`checked`
  const first = fault && place === 0 ? html`autofocus` : undefined
  const changes = name.endsWith(':write')
    ? html`<em class="tag">${serviceTexts[language].consent.changes}</em>`
    : undefined
  return html`<label class="check">
    <input
      type="checkbox"
      name="scopes"
      value="${name}"
      ${ticked}
      ${first}
      ${faultAttributes(fault)}
    />
    <span>
      ${scopeText(language, name)}
      <small><code>${name}</code> ${changes}</small>
    </span>
  </label>`
}

function warningOf(t: ConsentTexts, { loopbackOnly }: ConsentRequest): Html | undefined {
  if (!loopbackOnly) return undefined
  return html`<p class="notice"><strong>${t.loopback}</strong> ${t.loopbackHint}</p>`
}

/**
 * Shown after the decision. A redirect would fail: `form-action` keeps form redirects on this site.
 */
export function onwardPage(language: Language, redirectTo: string): HtmlPage {
  const t = serviceTexts[language].consent
  const body = html`<p>${t.onwardHint}</p>
    <p><a href="${redirectTo}">${t.goOn}</a></p>`
  return { language, title: t.onward, body, refreshTo: redirectTo }
}

export function refusalPage(language: Language, sentence: string): HtmlPage {
  const { refused: title } = serviceTexts[language].consent
  return { language, title, body: html`<p>${sentence}</p>` }
}

const faultId = 'fault'

function faultMessage(fault: string | undefined): Html | undefined {
  if (fault === undefined) return undefined
  return html`<p class="error" id="${faultId}" role="alert">${fault}</p>`
}

/** Links a field to its error message. */
function faultAttributes(fault: string | undefined): Html | undefined {
  if (fault === undefined) return undefined
  return html`aria-invalid="true" aria-describedby="${faultId}"`
}
