import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { mayUse, shopAddressOf, useWorkspace } from '../../session.ts'
import { DomainDialog } from './domain_dialog.tsx'
import { DomainRow } from './domain_row.tsx'

type Domain = Schemas['Domain']

const path = '/v1/workspaces/{workspaceId}/domains'
const onePath = `${path}/{id}` as const

/** Domains of the owner's own for the shop's pages; nothing where shops have none. */
export function Domains() {
  const membership = useWorkspace()
  const address = shopAddressOf(membership)
  if (address === undefined || !mayUse(membership.role, 'domains')) return null
  return <OwnDomains workspaceId={membership.workspaceId} target={new URL(address).hostname} />
}

/** The target is the host that a domain is led to. */
function OwnDomains({ workspaceId, target }: { workspaceId: string; target: string }) {
  const t = texts('domains')
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Domain | undefined>()
  const [busy, setBusy] = useState(false)
  const params = { path: { workspaceId } }
  const list = useLoad(
    (signal) => ask(api.GET(path, { signal, params: { path: { workspaceId } } })),
    [workspaceId],
  )
  const of = ({ id }: Domain) => ({ path: { workspaceId, id } })
  const add = async (body: Schemas['DomainCreate']) => {
    await ask(api.POST(path, { params, body }))
    list.reload()
  }
  const remove = async (domain: Domain) => {
    await ask(api.DELETE(onePath, { params: of(domain) }))
    toast(t('removed', { name: domain.name }))
    list.reload()
  }
  const change = async (work: () => Promise<string>) => {
    setBusy(true)
    try {
      toast(await work())
      list.reload()
    } catch (error) {
      toastFailure(error)
    }
    setBusy(false)
  }
  const verify = (domain: Domain) =>
    change(async () => {
      const { name, problem } = await ask(api.POST(`${onePath}/verify`, { params: of(domain) }))
      return problem === null ? t('verified', { name }) : t(`problem.${problem}`)
    })
  const choose = (domain: Domain) =>
    change(async () => {
      const body = { isPrimary: !domain.isPrimary }
      const { name, isPrimary } = await ask(api.PUT(onePath, { params: of(domain), body }))
      return isPrimary ? t('isPrimary', { name }) : t('isPrimary', { name: target })
    })
  return (
    <section class="card stack" aria-labelledby="domains">
      <h2 id="domains">{t('title')}</h2>
      <p>{t('about')}</p>
      <Loaded load={list}>
        {({ domains }) =>
          domains.length === 0 ? (
            <p class="muted">{t('none')}</p>
          ) : (
            domains.map((domain) => (
              <DomainRow
                key={domain.id}
                domain={domain}
                target={target}
                busy={busy}
                onVerify={() => void verify(domain)}
                onChoose={() => void choose(domain)}
                onRemove={() => setRemoving(domain)}
              />
            ))
          )
        }
      </Loaded>
      <div class="row">
        <button type="button" onClick={() => setAdding(true)}>
          <Icon name="plus" />
          {t('add')}
        </button>
      </div>
      {adding ? <DomainDialog save={add} onClose={() => setAdding(false)} /> : null}
      {removing ? (
        <ConfirmDialog
          danger
          title={t('removeNamed', { name: removing.name })}
          action={t('remove')}
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        >
          <p>{t('removeHint')}</p>
        </ConfirmDialog>
      ) : null}
    </section>
  )
}
