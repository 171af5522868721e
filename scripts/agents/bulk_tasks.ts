import type { Json, Shop, Task } from './tasks.ts'

/** Work on many products at once. */
export const bulkTasks: Task[] = [
  {
    name: 'ten more in stock of everything with a tag',
    calls: 2,
    tokens: 400,
    given: firstTag,
    async run({ call }, tagId) {
      const select = { where: { tagId }, change: { stock: { add: 10 } } }
      const { id } = await call('create_change_set', { data: { select } })
      const applied = await call('apply_change_set', { id })
      require(applied.state === 'APPLIED', 'the set applied')
    },
  },
  {
    name: 'undo that',
    calls: 1,
    tokens: 400,
    async given(shop) {
      const select = { where: { tagId: await firstTag(shop) }, change: { stock: { add: 10 } } }
      const { id } = await shop.call('create_change_set', { data: { select } })
      await shop.call('apply_change_set', { id })
      return id
    },
    async run({ call }, id) {
      const { state } = await call('undo_change_set', { id })
      require(state === 'UNDONE', 'the set undone')
    },
  },
  {
    name: 'a list of a hundred rows by SKU, half of them new',
    calls: 3,
    tokens: 4000,
    given: ({ call }) => call('write_products', { data: { rows: listed(50, 1) } }),
    async run({ call }) {
      const { counts } = await call<{ counts: Json }>('write_products', {
        data: { rows: listed(100, 2) },
      })
      require(counts.created === 50 && counts.updated === 50, 'a hundred rows written')
    },
  },
]

async function firstTag({ call }: Shop): Promise<string> {
  const { tags } = await call<{ tags: { id: string }[] }>('list_tags')
  return tags[0]!.id
}

function listed(count: number, stock: number): Json[] {
  return Array.from({ length: count }, (_, row) => ({
    action: 'upsert',
    data: {
      name: `Listed ${row}`,
      brand: 'Gül Evi',
      sku: `LIST-${row}`,
      barcode: `LIST-${row}`,
      stock,
      status: 'INACTIVE',
      information: '',
    },
  }))
}

function require(isDone: boolean, what: string): void {
  if (!isDone) throw new Error(`The task did not succeed: ${what}.`)
}
