import { api, ask } from '../../api.ts'

/** Chooses the time zone whose days are counted. */
export async function saveTimeZone(workspaceId: string, timeZone: string): Promise<void> {
  const params = { path: { workspaceId } }
  await ask(api.PUT('/api/workspaces/{workspaceId}/time-zone', { params, body: { timeZone } }))
}

/** A zone as people read it. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ')
