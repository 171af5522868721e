import { hostOfProvider } from '../../adapters/models/providers.ts'
import type { Config } from '../../settings/config.ts'
import type { Drawable } from '../jsx_runtime.ts'
import { faqFacts, organizationFacts } from '../documents/facts.ts'
import { Instead } from '../parts/ask.tsx'
import { SearchForm } from '../parts/header.tsx'
import { Prose, summaryOf } from '../parts/prose.tsx'
import type { Shop, ShopPage } from '../shop.ts'

interface Words {
  path: string
  heading: string
  description: string
}

/** A page of words alone. */
function textPage(shop: Shop, words: Words, body: Drawable): ShopPage {
  const { path, heading, description } = words
  return {
    path,
    title: `${heading} · ${shop.name}`,
    description,
    body: (
      <div class="wide">
        <div class="head">
          <h1>{heading}</h1>
        </div>
        <div class="text">{body}</div>
      </div>
    ),
  }
}

export function aboutPage(shop: Shop): ShopPage {
  const { website, name, t } = shop
  const { about, contactEmail } = website
  const heading = t('aboutTitle', { name })
  const body = (
    <>
      {about === '' ? <p>{website.tagline || name}</p> : <Prose text={about} />}
      {contactEmail !== null && (
        <p>
          <a class="button" href={`mailto:${contactEmail}`}>
            {t('writeTo', { email: contactEmail })}
          </a>
        </p>
      )}
    </>
  )
  const description = summaryOf(about, t('aboutSummary', { name }))
  const page = textPage(shop, { path: '/about', heading, description }, body)
  return { ...page, facts: [organizationFacts(shop)] }
}

/** What the shop answers of itself, and what is asked of its products; while there is neither, how to ask. */
export function faqPage(shop: Shop): ShopPage {
  const { questions, knowledge, website, t } = shop
  const isEmpty = questions.length + knowledge.length === 0
  const hint = website.contactEmail === null ? t('faqHintSilent') : t('faqHint')
  const body = (
    <>
      {knowledge.length > 0 && (
        <dl class="answers">
          {knowledge.map(({ question, answer }) => (
            <div>
              <dt>{question}</dt>
              <dd>
                <Prose text={answer} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {questions.length > 0 && <p class="soft">{hint}</p>}
      {questions.length > 0 && <Asked shop={shop} questions={questions} />}
      {isEmpty && <p>{t(website.contactEmail === null ? 'empty' : 'faqHint')}</p>}
      {isEmpty && <Instead shop={shop} />}
    </>
  )
  const words = { path: '/faq', heading: t('faqTitle'), description: hint }
  const facts = knowledge.length > 0 ? [faqFacts(shop)] : []
  return { ...textPage(shop, words, body), facts, isListed: !isEmpty }
}

interface AskedProps {
  shop: Shop
  questions: { text: string }[]
  /** The product that the questions are about. */
  about?: string
}

/** Questions that can be asked by mail, where the shop has an address. Each says so: it opens another program. */
export function Asked({ shop: { website, t }, questions, about }: AskedProps): Drawable {
  const { contactEmail } = website
  return (
    <ul class="asked">
      {questions.map(({ text }) => (
        <li>
          {contactEmail === null ? (
            <span>{text}</span>
          ) : (
            <a href={`mailto:${contactEmail}?subject=${subjectOf(text, about)}`}>
              {text} <small class="soft">{t('byEmail')}</small>
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

function subjectOf(question: string, about: string | undefined): string {
  return encodeURIComponent(about === undefined ? question : `${about}: ${question}`)
}

/** What becomes of visitors' data here: only what the settings and the contract hold. */
export function privacyPage(
  shop: Shop,
  { ai, conversationDays }: Pick<Config, 'ai' | 'conversationDays'>,
): ShopPage {
  const { website, assistant, t } = shop
  const { contactEmail } = website
  const host = hostOfProvider(ai)
  const own = host === undefined
  const body = (
    <>
      <p>{t('privacyReading')}</p>
      <p>{t('privacyClicks')}</p>
      <p>{t('privacyAsking')}</p>
      <p>{t('privacyKept', { count: conversationDays })}</p>
      {assistant.isOn && <p>{own ? t('privacyModelOwn') : t('privacyModel', { host })}</p>}
      {assistant.hasFaces && <p>{own ? t('privacyFaceOwn') : t('privacyFace', { host })}</p>}
      <p>{t('privacyAccount')}</p>
      <p>{t('privacyPictures')}</p>
      {contactEmail !== null && <p>{t('privacyContact', { email: contactEmail })}</p>}
    </>
  )
  const description = summaryOf(t('privacySummary', { name: shop.name }))
  return textPage(shop, { path: '/privacy', heading: t('privacyTitle'), description }, body)
}

export function notFoundPage(shop: Shop): ShopPage {
  const { t } = shop
  return {
    path: '',
    title: `${t('notFoundTitle')} · ${shop.name}`,
    description: '',
    status: 404,
    body: (
      <div class="wide">
        <div class="alone">
          <h1>{t('notFoundTitle')}</h1>
          <p class="soft">{t('notFoundHint')}</p>
          <SearchForm shop={shop} id="q2" />
          <p>
            <a class="button" href="/">
              {t('home')}
            </a>
          </p>
        </div>
      </div>
    ),
  }
}
