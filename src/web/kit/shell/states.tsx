import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Failure } from '../../api.ts'
import { texts } from '../../language.ts'
import { wholeFailureText } from './failures.ts'
import { Icon, type IconName } from './icons.tsx'
import type { Load } from './use_load.ts'

interface EmptyProps {
  icon: IconName
  title: string
  hint?: string
  children?: ComponentChildren
}

/** Empty state, with a way forward. */
export function Empty({ icon, title, hint, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-picture">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {hint ? <p>{hint}</p> : null}
      {children}
    </div>
  )
}

/** The outline of what is being loaded. It waits a moment, because most things are there by then. */
export function Loading() {
  const t = texts('kit')
  return (
    <div class="loading skeleton" role="status">
      <span class="hidden">{t('loading')}</span>
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}

/** Has no text: it renders before the language is known. */
export function Starting() {
  return (
    <div class="loading" aria-busy="true">
      <span class="spinner" aria-hidden="true" />
    </div>
  )
}

/**
 * Shown if the texts cannot be loaded. Reloads the page instead of retrying, because some browsers
 * never refetch a script that failed once.
 */
export function WithoutTexts() {
  return (
    <main class="front" lang="en" role="alert">
      <Empty
        icon="alert"
        title="This page could not be loaded"
        hint="Check your connection, then reload the page."
      >
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </Empty>
    </main>
  )
}

export function Failed({ failure, retry }: { failure: Failure; retry: () => void }) {
  const t = texts('kit')
  const title =
    failure.code === 'offline'
      ? t('offlineTitle')
      : failure.status === 404
        ? t('notFoundTitle')
        : t('failedTitle')
  const hint = failure.status === 404 ? t('notFoundHint') : wholeFailureText(failure)
  return (
    <div role="alert">
      <Empty icon="alert" title={title} hint={hint}>
        <button type="button" onClick={retry}>
          {t('tryAgain')}
        </button>
      </Empty>
    </div>
  )
}

interface LoadedProps<T> {
  load: Load<T>
  children: (value: T) => ComponentChildren
}

/**
 * Renders the loaded value or its failure. The previous value stays while a newer one loads and if
 * that fails, so that typed input is not lost.
 */
export function Loaded<T>({ load, children }: LoadedProps<T>) {
  const { value, failure, loading, reload } = load
  const isGone = failure?.status === 404
  const element = useFocusFallback()
  if (failure && (value === undefined || isGone)) return <Failed failure={failure} retry={reload} />
  if (value === undefined) return <Loading />
  return (
    <div class="loaded" aria-busy={loading} tabIndex={-1} ref={element}>
      {failure ? <Stale failure={failure} retry={reload} /> : null}
      {children(value)}
    </div>
  )
}

/** A deleted row takes the focus with it: move the focus to the rest of its list. */
function useFocusFallback() {
  const element = useRef<HTMLDivElement>(null)
  // Read during render, before the DOM changes.
  const hadFocus = element.current?.contains(document.activeElement) ?? false
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body)
      element.current?.focus({ preventScroll: true })
  })
  return element
}

function Stale({ failure, retry }: { failure: Failure; retry: () => void }) {
  const t = texts('kit')
  return (
    <div class="banner bad row" role="alert">
      <span class="grow">{wholeFailureText(failure)}</span>
      <button type="button" onClick={retry}>
        {t('tryAgain')}
      </button>
    </div>
  )
}

/** Shown while the browser reports that it is offline. */
export function OfflineBanner() {
  const [online, setOnline] = useState(navigator.onLine)
  const t = texts('kit')
  useEffect(() => {
    const update = () => setOnline(navigator.onLine)
    addEventListener('online', update)
    addEventListener('offline', update)
    return () => {
      removeEventListener('online', update)
      removeEventListener('offline', update)
    }
  }, [])
  return (
    <div role="status" class="offline-region">
      {online ? null : <p class="banner warning">{t('offlineBanner')}</p>}
    </div>
  )
}
