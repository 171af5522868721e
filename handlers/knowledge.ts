import { requireRepeatableEntries } from '../src/domain/assistant/finding/replies.ts'
import type { Handler } from '../src/operation.ts'
import { movePages } from '../src/queries/catalogue/feed.ts'
import { lockWebsite } from '../src/queries/catalogue/references.ts'
import { getShopKnowledge, updateShopKnowledge } from '../src/queries/site/shop_knowledge.ts'

export const get_shop_knowledge: Handler<'get_shop_knowledge'> = async ({ path }, { db }) => ({
  entries: await getShopKnowledge(db, path.workspaceId),
})

export const update_shop_knowledge: Handler<'update_shop_knowledge'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    const entries = await requireRepeatableEntries(trx, workspaceId, body.entries)
    await lockWebsite(trx, workspaceId)
    caller.requireCurrent({ entries: await getShopKnowledge(trx, workspaceId) })
    await updateShopKnowledge(trx, workspaceId, entries)
    await movePages(trx, workspaceId)
    return { entries }
  })
