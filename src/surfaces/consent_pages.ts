import type { components } from '../generated/types.ts'
import { html, type Html, type Page } from './html.ts'

type ConsentRequest = components['schemas']['ConsentRequest']

/** The ways to sign in, and what was wrong with the last attempt. */
interface SignIn {
  /** Where a third-party sign-in begins, with the way back; undefined where there is none. */
  thirdParty: string | undefined
  fault?: string | undefined
}

const title = 'Sign in to connect an agent'

export function emailPage({ thirdParty, fault }: SignIn): Page {
  const other =
    thirdParty === undefined
      ? undefined
      : html`<p class="aside"><a href="${thirdParty}">Sign in with your provider instead</a></p>`
  const body = html`<p>An agent asks for access to your account. We mail you a code to sign in.</p>
    ${faultOf(fault)}
    <form method="post">
      <input type="hidden" name="step" value="code" />
      <label class="field">
        <span>Email address</span>
        <input type="email" name="email" autocomplete="email" required autofocus />
      </label>
      <div class="actions"><button>Send me a code</button></div>
    </form>
    ${other}`
  return { title, body }
}

export function codePage({ email, fault }: { email: string; fault?: string | undefined }): Page {
  const body = html`<p>We have sent six digits to <strong>${email}</strong>.</p>
    ${faultOf(fault)}
    <form method="post">
      <input type="hidden" name="step" value="session" />
      <input type="hidden" name="email" value="${email}" />
      <label class="field">
        <span>Code</span>
        <input
          name="code"
          inputmode="numeric"
          pattern="[0-9]{6}"
          maxlength="6"
          autocomplete="one-time-code"
          required
          autofocus
        />
      </label>
      <div class="actions"><button>Sign in</button></div>
    </form>
    <p class="aside"><a href="">Use another address</a></p>`
  return { title, body }
}

export function consentPage(request: ConsentRequest, fault?: string): Page {
  const body = html`<p>
      It wants to act for your account in every workspace you own, for 90 days or until you revoke
      it.
    </p>
    <dl>
      <dt>Calls itself</dt>
      <dd>${request.clientName}</dd>
      <dt>Is known as</dt>
      <dd>${request.clientId}</dd>
      <dt>Gets the answer at</dt>
      <dd>${request.redirectHost}</dd>
      <dt>Your account</dt>
      <dd>${request.accountEmail}</dd>
    </dl>
    ${warningOf(request)} ${faultOf(fault)}
    <form method="post">
      <input type="hidden" name="step" value="decide" />
      <fieldset>
        <legend>It may</legend>
        ${request.scopes.map(scopeBox)}
      </fieldset>
      <div class="actions">
        <button name="decision" value="allow">Allow</button>
        <button class="quiet" name="decision" value="deny">Deny</button>
      </div>
    </form>
    <div class="aside">
      Not your account?
      <form method="post">
        <input type="hidden" name="step" value="sign_out" />
        <button class="link">Sign in with another one</button>
      </form>
    </div>`
  return { title: `${request.clientName} asks for access`, body }
}

function scopeBox({ name, description }: ConsentRequest['scopes'][number]): Html {
  return html`<label class="scope">
    <input type="checkbox" name="scopes" value="${name}" checked />
    <span>${description}<small>${name}</small></span>
  </label>`
}

function warningOf({ loopbackOnly }: ConsentRequest): Html | undefined {
  if (!loopbackOnly) return undefined
  return html`<p class="notice">
    This agent runs on your own computer, where any program can use this name. Allow it only if you
    have just started it yourself.
  </p>`
}

/** After the decision. A redirect would be one of a form, which `form-action` keeps on this site. */
export function onwardPage(redirectTo: string): Page {
  const body = html`<p>Your answer is on its way to the agent.</p>
    <p><a href="${redirectTo}">Go on, if nothing happens</a></p>`
  return { title: 'Back to the agent', body, refreshTo: redirectTo }
}

export function refusalPage(sentence: string): Page {
  return { title: 'This agent cannot be connected', body: html`<p>${sentence}</p>` }
}

function faultOf(fault: string | undefined): Html | undefined {
  return fault === undefined ? undefined : html`<p class="fault" role="alert">${fault}</p>`
}
