import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, useLocation, useSearch } from 'wouter-preact'
import { texts } from '../../language.ts'
import { UnsavedDialog } from './dialog.tsx'
import { Icon, type IconName } from './icons.tsx'
import { useScrollMemory } from '../lists/list_memory.ts'
import { OfflineBanner } from './states.tsx'
import { Toasts } from './toasts.tsx'
import { setLeaveHandler } from '../forms/unsaved.ts'

interface NavItem {
  href: string
  label: string
  icon: IconName
  /** How many things wait there. */
  count?: number
}

export interface NavGroup {
  title: string
  items: readonly NavItem[]
}

interface FrameProps {
  /** Above the navigation, such as the workspace switch. */
  top: ComponentChildren
  groups: readonly NavGroup[]
  /** At the foot of the sidebar: account, theme, sign-out. */
  foot: ComponentChildren
  /** Where the person is, for the phone's top bar. */
  place?: string
  /** Beside the menu in the phone's top bar. */
  bell?: ComponentChildren
  children: ComponentChildren
}

/** Sidebar and page; on phones the sidebar opens over the page. */
export function Frame({ top, groups, foot, place, bell, children }: FrameProps) {
  const t = texts('kit')
  const [path] = useLocation()
  useScrollMemory(path, useSearch())
  const [open, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  useEffect(() => {
    setOpen(false)
    // After navigation, focus the page's start, unless the page has focused a field.
    const isInside = main.current?.contains(document.activeElement)
    if (!first.current && !isInside) main.current?.focus({ preventScroll: true })
    first.current = false
  }, [path])
  return (
    <div class="frame" onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}>
      <a class="button skip" href="#content">
        {t('skipToContent')}
      </a>
      <header class="topbar">
        <Brand />
        <span class="place">{place}</span>
        {bell}
        <button
          type="button"
          class="plain"
          aria-label={t('menu')}
          aria-expanded={open}
          aria-controls="sidebar"
          onClick={() => setOpen(!open)}
        >
          <Icon name="menu" />
        </button>
      </header>
      {open ? (
        <button
          type="button"
          class="scrim"
          aria-label={t('close')}
          onClick={() => setOpen(false)}
        />
      ) : null}
      <aside id="sidebar" class={open ? 'sidebar open' : 'sidebar'}>
        {top}
        <nav class="nav" aria-label={t('menu')}>
          {groups.map((group) => (
            <Group key={group.title} group={group} path={path} />
          ))}
        </nav>
        <div class="side-foot">{foot}</div>
      </aside>
      <main class="content" id="content" tabIndex={-1} ref={main}>
        <OfflineBanner />
        {children}
      </main>
      <Toasts />
      <LeaveDialog />
    </div>
  )
}

export function Brand() {
  return (
    <Link class="brand" href="/">
      <img class="mark" src="/icon.svg" alt="" />
      Vitrine
    </Link>
  )
}

function Group({ group, path }: { group: NavGroup; path: string }) {
  return (
    <div>
      <h2>{group.title}</h2>
      <ul>
        {group.items.map((item) => (
          <li key={item.href}>
            <NavLink item={item} path={path} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface NavLinkProps {
  item: NavItem
  path: string
}

export function NavLink({ item, path }: NavLinkProps) {
  const here = path === item.href || path.startsWith(`${item.href}/`)
  return (
    <Link class="nav-link" href={item.href} {...(here ? { 'aria-current': 'page' } : {})}>
      <Icon name={item.icon} />
      <span class="nav-label">{item.label}</span>
      {item.count === undefined ? null : (
        <>
          {' '}
          <span class="count">{item.count}</span>
        </>
      )}
    </Link>
  )
}

/** Asks before leaving a page with unsaved changes. */
function LeaveDialog() {
  const t = texts('kit')
  const [go, setGo] = useState<(() => void) | undefined>()
  useEffect(() => setLeaveHandler((next) => setGo(() => next)), [])
  if (!go) return null
  const stay = () => setGo(undefined)
  const discard = () => {
    stay()
    go()
  }
  return (
    <UnsavedDialog
      title={t('unsavedTitle')}
      hint={t('unsavedHint')}
      onDiscard={discard}
      onStay={stay}
    />
  )
}
