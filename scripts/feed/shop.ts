/** A workspace as its writers and followers reach it. */
export interface FeedShop {
  key: string
  workspaceId: string
}

/** Calls an address of the workspace; undefined where the service is gone midway. */
export async function callShop(
  api: string,
  { key, workspaceId }: FeedShop,
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<{ status: number; json: unknown } | undefined> {
  try {
    const response = await fetch(`${api}/v1/workspaces/${workspaceId}/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, json: await response.json() }
  } catch {
    return undefined
  }
}
