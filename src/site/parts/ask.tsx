import { limits } from '../../generated/limits.ts'
import type { Drawable } from '../jsx_runtime.ts'
import type { Shop } from '../shop.ts'

interface AskProps {
  shop: Shop
  kind: 'product' | 'routine' | 'face'
  /** The product that is asked about. */
  productId?: string
  /** Questions that can be asked with a click. */
  questions?: { text: string }[]
  placeholder: string
  /** What the form asks for beside the question. */
  children?: Drawable
  /** What stands here where nothing can be asked. */
  fallback: Drawable
}

/**
 * A conversation with the shop's assistant. Drawn for everyone alike; a script takes over what visitors
 * send. Without a script, or while the assistant cannot answer, the fallback is shown in its place.
 */
export function Ask(props: AskProps): Drawable {
  const { shop, kind, productId, questions = [], placeholder, children, fallback } = props
  const { t, workspaceId } = shop
  return (
    <div class="chat">
      <ol class="talk" aria-live="polite" aria-label={t('conversation')} />
      <form
        class="ask"
        data-live={kind}
        data-workspace={workspaceId}
        data-product={productId}
        data-talk={kind === 'face' ? undefined : `talk ${productId ?? kind}`}
        data-level={shop.assistant.level}
        data-unreadable={kind === 'face' ? t('faceUnreadable') : undefined}
        data-words={JSON.stringify(conversationWords(shop))}
      >
        {questions.length > 0 && (
          <ul class="asked">
            {questions.map(({ text }) => (
              <li>
                <button type="submit" name="message" value={text} formnovalidate>
                  {text}
                </button>
              </li>
            ))}
          </ul>
        )}
        {children}
        {kind !== 'face' && (
          <div class="say">
            <label class="hidden" for="say">
              {placeholder}
            </label>
            <textarea
              id="say"
              name="message"
              rows="2"
              required
              maxlength={limits.ChatMessage.maxLength}
              placeholder={placeholder}
              enterkeyhint="send"
            />
          </div>
        )}
        <button type="submit" class="button main">
          {t(kind === 'face' ? 'faceSend' : 'askSend')}
        </button>
        <p class="soft small">{t(kind === 'face' ? 'faceNote' : 'askNote')}</p>
      </form>
      <div class="instead">
        <noscript>
          <p>{t('askNeedsScript')}</p>
        </noscript>
        {fallback}
      </div>
    </div>
  )
}

/** What a visitor can do without the assistant; a mail about a product names it. */
export function Instead({ shop, about }: { shop: Shop; about?: string }): Drawable {
  const { t, website } = shop
  const { contactEmail } = website
  const subject = about === undefined ? '' : `?subject=${encodeURIComponent(about)}`
  return (
    <>
      <p>
        <a class="button" href="/products">
          {t('seeAll')}
        </a>
      </p>
      <p>
        {contactEmail === null ? (
          <a class="button" href="/feedback">
            {t('feedback')}
          </a>
        ) : (
          <a class="button" href={`mailto:${contactEmail}${subject}`}>
            {t('writeTo', { email: contactEmail })}
          </a>
        )}
      </p>
    </>
  )
}

/** What the script of a conversation says. */
export function conversationWords({ t, website }: Shop) {
  return {
    thinking: t('askThinking'),
    sources: t('askSources'),
    signIn: t('signIn'),
    failed: t('checkFailed'),
    silent: t(website.contactEmail === null ? 'askSilent' : 'askSilentWrite'),
    left: t('askLeft', { count: '{count}' }),
    lastLeft: t('askLeft', { count: 1 }),
  }
}
