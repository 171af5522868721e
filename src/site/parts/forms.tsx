import type { Drawable } from '../jsx_runtime.ts'
import type { Shop } from '../shop.ts'

interface FieldProps {
  name: string
  label: string
  hint?: string | undefined
  /** What is wrong with it. */
  fault?: string | undefined
  children?: Drawable
  /** Attributes of the input. */
  input?: Record<string, string | number | boolean | undefined>
}

/** A labelled input, or another control as its child, with what is wrong with it. */
export function Field({ name, label, hint, fault, children, input }: FieldProps): Drawable {
  const notes = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children ?? (
        <input
          id={name}
          name={name}
          {...input}
          aria-describedby={notes || undefined}
          aria-invalid={fault ? 'true' : undefined}
        />
      )}
      {hint && (
        <p class="soft small" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
    </div>
  )
}

/** What went wrong with a form as a whole, or what went well. */
export function Outcome({ fault, done }: { fault?: string; done?: string }): Drawable {
  if (fault !== undefined)
    return (
      <p class="fault" role="alert">
        {fault}
      </p>
    )
  return (
    done !== undefined && (
      <p class="done" role="status">
        {done}
      </p>
    )
  )
}

interface ProtectedProps {
  shop: Pick<Shop, 't'>
  /** Whose challenge a robot must solve first, which needs a script; undefined where none is asked for. */
  siteKey: string | undefined
  action: string
  children?: Drawable
}

/** A form whose sender proves to be no robot, where the shop asks for that. */
export function ProtectedForm(props: ProtectedProps): Drawable {
  const { shop, siteKey, action, children } = props
  const { t } = shop
  if (siteKey === undefined)
    return (
      <form class="form" method="post" action={action}>
        {children}
      </form>
    )
  return (
    <form
      class="form"
      method="post"
      action={action}
      data-live="challenge"
      data-site={siteKey}
      data-busy={t('checking')}
      data-failed={t('checkFailed')}
    >
      <input type="hidden" name="challengeToken" value="" />
      <noscript>
        <p class="fault">{t('needsScript')}</p>
      </noscript>
      {children}
    </form>
  )
}
