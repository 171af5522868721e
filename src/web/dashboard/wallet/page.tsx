import { useEffect, useState } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { Page } from '../../kit/shell/page.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatMoney, formatNumber, texts } from '../../language.ts'
import { shopAddressOf, useWorkspace } from '../../session.ts'
import { WalletEntries } from './entries.tsx'
import { BalanceAlert, SiteBudget } from './limits.tsx'
import { Receipts } from './receipts.tsx'

/** The provider redirects the buyer and notifies the service in parallel; either may come first. */
const confirmationMilliseconds = 4000

/** Reports the outcome of a checkout once, then removes it from the address. */
function useCheckoutOutcome(onConfirmed: () => void) {
  const t = texts('business')
  const search = useSearch()
  useEffect(() => {
    const outcome = new URLSearchParams(search).get('checkout')
    if (outcome === null) return
    toast(outcome === 'paid' ? t('paid') : t('payCancelled'))
    history.replaceState(null, '', location.pathname)
    if (outcome !== 'paid') return
    const confirmation = setTimeout(onConfirmed, confirmationMilliseconds)
    return () => clearTimeout(confirmation)
  }, [])
}

/** The wallet: balance, purchases and entries. */
export function WalletPage() {
  const membership = useWorkspace()
  const { workspaceId } = membership
  const t = texts('business')
  const [version, setVersion] = useState(0)
  useCheckoutOutcome(() => setVersion(1))
  const params = { path: { workspaceId } }
  const wallet = useLoad(
    () => ask(api.GET('/v1/workspaces/{workspaceId}/wallet', { params })),
    [workspaceId, version],
  )
  const packs = useLoad(
    () => ask(api.GET('/api/workspaces/{workspaceId}/packs', { params })),
    [workspaceId],
  )
  return (
    <Page title={t('wallet')} about={t('walletAbout')}>
      <Loaded load={wallet}>{(value) => <Balance wallet={value} />}</Loaded>
      <section class="card" aria-labelledby="packs">
        <h2 id="packs">{t('buy')}</h2>
        <Loaded load={packs}>{(value) => <Packs packs={value.packs} />}</Loaded>
      </section>
      <BalanceAlert />
      {shopAddressOf(membership) === undefined ? null : <SiteBudget />}
      <Receipts />
      <WalletEntries version={version} />
    </Page>
  )
}

function Balance({ wallet }: { wallet: Schemas['Wallet'] }) {
  const t = texts('business')
  const figures = [
    [t('available'), wallet.available],
    [t('balance'), wallet.balance],
    [t('reserved'), wallet.reserved],
  ] as const
  return (
    <div class="stack">
      {wallet.inDebt ? <p class="banner bad">{t('inDebt')}</p> : null}
      <div class="cards">
        {figures.map(([label, value]) => (
          <div key={label} class="card figure">
            <span class="muted">{label}</span>
            <b>{formatNumber(value)}</b>
          </div>
        ))}
      </div>
    </div>
  )
}

function Packs({ packs }: { packs: Schemas['Pack'][] }) {
  const { workspaceId } = useWorkspace()
  const t = texts('business')
  const [opening, setOpening] = useState(false)
  const buy = (pack: Schemas['CheckoutCreate']['pack']) => {
    setOpening(true)
    const params = { path: { workspaceId } }
    ask(api.POST('/api/workspaces/{workspaceId}/checkout', { params, body: { pack } })).then(
      ({ url }) => location.assign(url),
      (error: unknown) => {
        setOpening(false)
        toastFailure(error)
      },
    )
  }
  return (
    <div class="cards">
      {packs.map(({ credits, price, currency }) => (
        <div key={credits} class="pack">
          <b>{t('credits', { count: credits })}</b>
          <span class="muted">{formatMoney(price, currency)}</span>
          <button
            type="button"
            class="primary"
            disabled={opening}
            aria-label={opening ? undefined : t('buyPack', { credits })}
            onClick={() => buy(credits as Schemas['CheckoutCreate']['pack'])}
          >
            {opening ? t('opening') : t('buy')}
          </button>
        </div>
      ))}
    </div>
  )
}
