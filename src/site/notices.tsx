import type { FoundSite } from '../queries/site/found_sites.ts'
import { defaultLanguage } from '../texts/languages.ts'
import { templateOf } from './look/templates.ts'
import { themeStyle } from './look/theme.ts'
import type { Drawable } from './jsx_runtime.ts'
import { Notice } from './parts/document.tsx'
import { pagePolicy } from './policy.ts'
import { render } from './render.ts'
import { type Shop, wordsOf } from './shop.ts'

/** Why a site shows none of its pages. */
export type NoticeKind =
  | 'nowhere'
  | 'suspended'
  | 'closed'
  | 'signIn'
  | 'report'
  | 'busy'
  | 'refused'
  | 'away'
  | 'fault'

const statuses = {
  nowhere: 404,
  suspended: 403,
  closed: 403,
  signIn: 401,
  report: 200,
  busy: 429,
  refused: 400,
  away: 503,
  fault: 500,
} as const

export interface SentNotice {
  status: number
  text: string
  policy: string
}

/** The colours of notices that show nothing of a shop. */
const plainTheme = { primaryColor: '#1f2937', accentColor: '#2563eb', font: 'system-ui' }

/** Notices that stand in the place of a shop, which must not hide there from those who would report it. */
const inPlaceOfShop = new Set<NoticeKind>(['closed', 'signIn'])
const named = new Set<NoticeKind>([...inPlaceOfShop, 'report', 'busy'])

/**
 * A page in the place of all others. A closed shop shows its name and contact, and nothing else of it;
 * a suspended one looks like one that never was.
 */
export function drawNotice(
  kind: NoticeKind,
  baseUrl: string,
  site?: FoundSite,
  form?: (shop: Pick<Shop, 'workspaceId' | 't'>) => Drawable,
): SentNotice {
  const isNamed = named.has(kind) && site !== undefined
  const language = isNamed ? site.website.language : defaultLanguage
  const template = isNamed ? templateOf(site.website.templateKey, site.design) : templateOf('')
  const theme = themeStyle(isNamed ? site.website.theme : plainTheme, template)
  // A report is for the people who run the service, and not for the shop.
  const email = isNamed && kind !== 'report' ? site.website.contactEmail : null
  const t = wordsOf(language)
  const shown = {
    ...wordsFor(kind, t, site?.name ?? ''),
    language,
    theme,
    template: template.key,
    contact: email === null ? undefined : { email, label: t('writeTo', { email }) },
    form: site && form?.({ workspaceId: site.workspaceId, t }),
    hasScript: kind === 'signIn',
    report: isNamed && inPlaceOfShop.has(kind) ? t('report') : undefined,
  }
  return {
    status: statuses[kind],
    text: `<!doctype html>${render(<Notice {...shown} />)}`,
    policy: pagePolicy(theme, baseUrl),
  }
}

function wordsFor(kind: NoticeKind, t: Shop['t'], name: string): { title: string; hint: string } {
  if (kind === 'closed') return { title: t('closedTitle', { name }), hint: t('closedHint') }
  if (kind === 'signIn') return { title: t('signInTitle', { name }), hint: t('signInHint') }
  if (kind === 'report') return { title: t('reportTitle', { name }), hint: '' }
  if (kind === 'busy') return { title: t('busyTitle'), hint: t('busyHint') }
  if (kind === 'refused') return { title: t('refusedTitle'), hint: t('refusedHint') }
  if (kind === 'away' || kind === 'fault') return { title: t('awayTitle'), hint: t('awayHint') }
  return { title: t('suspendedTitle'), hint: t('suspendedHint') }
}
