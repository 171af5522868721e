import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { Page } from '../kit/shell/page.tsx'
import { texts } from '../language.ts'
import type { Membership } from '../session.ts'
import { roleName } from './front/role_name.ts'

/** There is no such page. */
export function NotHere() {
  const t = texts('kit')
  return (
    <Page narrow title={t('notFoundTitle')}>
      <p class="muted">{t('notFoundHint')}</p>
    </Page>
  )
}

interface RefusedProps {
  title: string
  reason: string
  children: ComponentChildren
}

/** A page that exists, but is closed to this person: says why, and what they can do. */
function Refused({ title, reason, children }: RefusedProps) {
  return (
    <Page narrow title={title}>
      <p class="banner warning">{reason}</p>
      <p>{children}</p>
    </Page>
  )
}

export function NoRight({ title, membership }: { title: string; membership: Membership }) {
  const t = texts('front')
  const { role, workspaceName: workspace } = membership
  return (
    <Refused title={title} reason={t('noRight', { role: roleName(role), workspace })}>
      {t('noRightHint', { workspace })}
    </Refused>
  )
}

export function NotMember() {
  const t = texts('front')
  return (
    <Refused title={t('workspace')} reason={t('notMember')}>
      {t('notMemberHint')}
    </Refused>
  )
}

export function Suspended({ workspaceName }: Membership) {
  const t = texts('front')
  return (
    <Refused title={workspaceName} reason={t('suspended')}>
      {t('suspendedHint')} <Link href="/contact">{t('contact')}</Link>
    </Refused>
  )
}
