import { csvOfPages } from '../src/core/csv.ts'
import { paginationOf } from '../src/core/paging.ts'
import type { Handler } from '../src/operation.ts'
import { getWallet, listEntries } from '../src/queries/credits/wallets.ts'

export const get_wallet: Handler<'get_wallet'> = ({ path }, { db, now }) =>
  getWallet(db, path.workspaceId, now)

export const list_wallet_entries: Handler<'list_wallet_entries'> = async (
  { path, query },
  { db },
) => {
  const { page, pageSize } = query
  const rows = { limit: pageSize, offset: (page - 1) * pageSize }
  const { entries, total } = await listEntries(db, path.workspaceId, rows)
  return { entries, pagination: paginationOf(page, pageSize, total) }
}

export const export_wallet_entries: Handler<'export_wallet_entries'> = ({ path }, { db }) =>
  Promise.resolve(
    csvOfPages(
      'wallet-entries.csv',
      {
        id: true,
        createdAt: true,
        type: true,
        credits: true,
        balanceAfter: true,
        reference: true,
        reason: true,
      },
      async ({ page, pageSize }) => {
        const rows = { limit: pageSize, offset: (page - 1) * pageSize }
        return (await listEntries(db, path.workspaceId, rows)).entries
      },
    ),
  )
