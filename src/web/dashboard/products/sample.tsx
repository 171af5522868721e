import { Icon } from '../../kit/shell/icons.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { beginRun } from '../changes/run.ts'
import { withNumbers } from './product_values.ts'

const samples = ['balm', 'soap', 'tonic'] as const

/** Fills an empty catalogue with three products to play with; one change set, which can be undone. */
export function SampleButton() {
  const { workspaceId, workspaceName } = useWorkspace()
  const t = texts('sample')
  const load = () =>
    beginRun(workspaceId, {
      title: t('title'),
      rows: samples.map((sample) => ({
        action: 'create',
        data: {
          ...withNumbers({
            name: t(`${sample}.name`),
            brand: workspaceName,
            sku: '',
            barcode: '',
            stock: 10,
            status: 'ACTIVE',
            description: t(`${sample}.description`),
            information: t(`${sample}.information`),
            imageIds: [],
            tagIds: [],
            sales: [],
          }),
        },
      })),
    })
  return (
    <button type="button" onClick={load}>
      <Icon name="layers" />
      {t('load')}
    </button>
  )
}
