import { setTimeout as delay } from 'node:timers/promises'
import { type Attack, outcomeOf, type Scene } from './attack.ts'

const rowsOfFile = 20_000

/** A file whose rows are all new products with long texts. */
function fileOf(rows: number): string {
  const text = 'A text that is planned and written. '.repeat(15)
  const line = (row: number) => `I-${row},Imported ${row},Ana,I-${row},${text},${text}`
  const lines = Array.from({ length: rows }, (_, row) => line(row))
  return ['sku,name,brand,barcode,description,information', ...lines].join('\n')
}

async function call(scene: Scene, path: string, body: object | FormData): Promise<Response> {
  const isForm = body instanceof FormData
  return fetch(`${scene.origin}/v1/workspaces/${scene.attacker.workspaceId}/${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${scene.attacker.apiKey}`,
      ...(!isForm && { 'Content-Type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
}

export const imports: Attack = {
  name: 'imports',
  tried: `six files of ${rowsOfFile} rows at once, planned and one of them applied`,
  async run(scene) {
    const file = fileOf(scene.times(rowsOfFile))
    const statuses: number[] = []
    const sets: string[] = []
    const upload = async () => {
      const form = new FormData()
      form.append('format', 'csv')
      form.append('file', new Blob([file]), 'products.csv')
      const sent = await call(scene, 'change-sets/upload', form)
      statuses.push(sent.status)
      const { uploadId } = (await sent.json()) as { uploadId?: string }
      if (uploadId === undefined) return
      const planned = await call(scene, 'change-sets', { uploadId })
      statuses.push(planned.status)
      const { id } = (await planned.json()) as { id?: string }
      if (id !== undefined) sets.push(id)
    }
    await Promise.all(Array.from({ length: scene.times(6) }, upload))
    // The first plan that is done is applied while the others go on.
    for (let second = 0; second < scene.times(20); second++) {
      await delay(1000)
      for (const id of sets) {
        const { status } = await call(scene, `change-sets/${id}/apply`, {})
        if (status === 200) return outcomeOf([...statuses, status])
      }
    }
    return outcomeOf(statuses)
  },
}
