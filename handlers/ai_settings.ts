import type { Handler } from '../src/operation.ts'
import { getAiSettings, updateAiSettings } from '../src/queries/assistant/ai_settings.ts'
import { movePages } from '../src/queries/catalogue/feed.ts'
import { getSynonyms, updateSynonyms } from '../src/queries/catalogue/search/synonyms.ts'
import { lockWorkspace } from '../src/queries/people/workspaces.ts'

export const get_ai_settings: Handler<'get_ai_settings'> = ({ path }, { db }) =>
  getAiSettings(db, path.workspaceId)

export const update_ai_settings: Handler<'update_ai_settings'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    await lockWorkspace(trx, workspaceId)
    caller.requireCurrent(await getAiSettings(trx, workspaceId))
    await updateAiSettings(trx, workspaceId, body)
    await movePages(trx, workspaceId)
    return getAiSettings(trx, workspaceId)
  })

export const get_synonyms: Handler<'get_synonyms'> = ({ path }, { db }) =>
  getSynonyms(db, path.workspaceId)

export const update_synonyms: Handler<'update_synonyms'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    await lockWorkspace(trx, workspaceId)
    caller.requireCurrent(await getSynonyms(trx, workspaceId))
    await updateSynonyms(trx, workspaceId, body, caller.now)
    return getSynonyms(trx, workspaceId)
  })
