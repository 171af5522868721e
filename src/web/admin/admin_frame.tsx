import type { ComponentChildren } from 'preact'
import { api, ask, type Schemas } from '../api.ts'
import { leave } from '../kit/forms/unsaved.ts'
import { Brand, Frame, type NavGroup } from '../kit/shell/frame.tsx'
import { Icon } from '../kit/shell/icons.tsx'
import { startOver } from '../kit/shell/start_over.ts'
import { ThemeSwitch } from '../kit/shell/theme.tsx'
import { toastFailure } from '../kit/shell/toasts.tsx'
import { texts } from '../language.ts'

interface AdminFrameProps {
  staff: Schemas['StaffSession']
  children: ComponentChildren
}

export function AdminFrame({ staff, children }: AdminFrameProps) {
  const t = texts('admin')
  return (
    <Frame
      top={
        <div class="admin-brand">
          <Brand />
          <span class="chip">{t('administration')}</span>
        </div>
      }
      groups={groups()}
      foot={<Foot staff={staff} />}
    >
      {children}
    </Frame>
  )
}

function groups(): NavGroup[] {
  const t = texts('admin')
  return [
    {
      title: t('people'),
      items: [
        { href: '/accounts', label: t('accounts'), icon: 'people' },
        { href: '/workspaces', label: t('workspaces'), icon: 'layers' },
        { href: '/contact-requests', label: t('contact'), icon: 'inbox' },
      ],
    },
    { title: t('software'), items: [{ href: '/sources', label: t('sources'), icon: 'shield' }] },
    { title: t('record'), items: [{ href: '/audit', label: t('audit'), icon: 'check' }] },
  ]
}

function Foot({ staff }: Pick<AdminFrameProps, 'staff'>) {
  const t = texts('front')
  const signOut = () => {
    leave(() => void ask(api.DELETE('/api/admin/session')).then(startOver, toastFailure))
  }
  return (
    <>
      <p class="admin-person">{staff.email}</p>
      <ThemeSwitch />
      <button type="button" class="plain" onClick={signOut}>
        <Icon name="signOut" />
        {t('signOut')}
      </button>
    </>
  )
}
