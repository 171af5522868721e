import { paginationOf } from '../src/core/paging.ts'
import type { Handler } from '../src/operation.ts'
import {
  deleteTag,
  getTag,
  insertTag,
  listTags,
  lockTag,
  updateTag,
} from '../src/queries/catalogue/tags.ts'

export const list_tags: Handler<'list_tags'> = async ({ path, query }, { db }) => {
  const { page, pageSize, search } = query
  const { tags, total } = await listTags(db, path.workspaceId, { search, page, pageSize })
  return { tags, pagination: paginationOf(page, pageSize, total) }
}

export const get_tag: Handler<'get_tag'> = ({ path }, { db }) =>
  getTag(db, path.workspaceId, path.id)

export const create_tag: Handler<'create_tag'> = ({ path, body }, { transaction, now }) =>
  transaction((trx) => insertTag(trx, path.workspaceId, body, now))

export const update_tag: Handler<'update_tag'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    caller.requireCurrent(await lockTag(trx, path.workspaceId, path.id))
    return updateTag(trx, path.workspaceId, path.id, body, caller.now)
  })

export const delete_tag: Handler<'delete_tag'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    caller.requireCurrent(await lockTag(trx, path.workspaceId, path.id))
    await deleteTag(trx, path.workspaceId, path.id, caller.now)
    return { id: path.id, deleted: true as const }
  })
