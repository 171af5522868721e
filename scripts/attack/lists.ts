import { type Attack, outcomeOf, type Scene, statusOf } from './attack.ts'
import { giveLongTexts } from './long_texts.ts'

const parallel = 14
const rounds = 6

export const lists: Attack = {
  name: 'heavy lists',
  tried: `${parallel} lists of the longest products at once, with one key`,
  async run(scene) {
    await giveLongTexts(scene)
    const path = `/v1/workspaces/${scene.attacker.workspaceId}/products?pageSize=20`
    const statuses: number[] = []
    const client = async () => {
      for (let round = 0; round < scene.times(rounds); round++)
        statuses.push(await statusOf(scene, path, { token: scene.attacker.apiKey }))
    }
    await Promise.all(Array.from({ length: parallel }, client))
    return outcomeOf(statuses)
  },
}

const batches = 5

export const batchedLists: Attack = {
  name: 'batched lists',
  tried: '20 lists of the longest products in one message of an agent',
  // What the others notice of it is a stall.
  allowed: { milliseconds: 50, megabytes: 64 },
  async run(scene: Scene) {
    await giveLongTexts(scene)
    const { workspaceId, token } = scene.attacker
    const params = { name: 'list_products', arguments: { workspaceId, query: { pageSize: 50 } } }
    const message = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })
    const body = JSON.stringify(Array.from({ length: 20 }, (_, id) => message(id)))
    const headers = { 'Content-Type': 'application/json' }
    const statuses: number[] = []
    for (let count = 0; count < scene.times(batches); count++)
      statuses.push(await statusOf(scene, '/mcp', { method: 'POST', token, body, headers }))
    return outcomeOf(statuses)
  },
}
