import type { ComponentChildren, ComponentType, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { Failure } from '../../api.ts'
import { lastAddressOf, markReturn } from '../lists/list_memory.ts'
import { SavedTogether } from '../forms/save_bar.tsx'
import { Failed, Loading } from './states.tsx'

interface PageProps {
  title: string
  /** One sentence on the purpose of the page. */
  about?: string
  /** Link to the parent page. */
  crumb?: { href: string; label: string }
  actions?: ComponentChildren
  /** For pages that are mostly a form. */
  narrow?: boolean
  /** The page of the next one in the list, for those who work through it. */
  next?: string
  children: ComponentChildren
}

/** Every page has one heading, which is also the tab's title. */
export function Page(props: PageProps) {
  const { title, about, crumb, actions, narrow = false, next, children } = props
  useEffect(() => {
    document.title = `${title} · Vitrine`
  }, [title])
  return (
    <div class={narrow ? 'page narrow' : 'page'}>
      <header class="page-head">
        <div class="page-title">
          {crumb ? (
            <Link class="crumb" href={lastAddressOf(crumb.href)} onClick={markReturn}>
              ‹ {crumb.label}
            </Link>
          ) : null}
          <h1 class="clamp">{title}</h1>
        </div>
        {about ? <p class="page-about">{about}</p> : null}
        {actions ? <div class="actions">{actions}</div> : null}
      </header>
      <SavedTogether next={next}>{children}</SavedTogether>
    </div>
  )
}

/** A page whose script loads when it is first opened, or before that by `fetch`. */
export type LazyPage<P extends object> = FunctionComponent<P> & { fetch: () => Promise<unknown> }

export function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>): LazyPage<P> {
  let cached: ComponentType<P> | undefined
  const fetch = async () => (cached ??= await load())
  function LazyPage(props: P) {
    const [Content, setContent] = useState<ComponentType<P> | undefined>(() => cached)
    const [failure, setFailure] = useState<Failure | undefined>()
    const [attempt, setAttempt] = useState(0)
    useEffect(() => {
      if (Content) return
      setFailure(undefined)
      fetch().then(
        (content) => setContent(() => content),
        // The only reason is a script that cannot be fetched.
        () => setFailure(new Failure({ status: 0, code: 'offline', message: '' })),
      )
    }, [attempt])
    if (Content) return <Content {...props} />
    if (failure) return <Failed failure={failure} retry={() => setAttempt(attempt + 1)} />
    return <Loading />
  }
  return Object.assign(LazyPage, { fetch })
}
