import { Icon } from '../../kit/shell/icons.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { beginRun } from '../changes/run.ts'
import { productWith } from './form.tsx'

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
        data: productWith(workspaceName, {
          name: t(`${sample}.name`),
          stock: '10',
          description: t(`${sample}.description`),
          information: t(`${sample}.information`),
        }),
      })),
    })
  return (
    <button type="button" onClick={load}>
      <Icon name="layers" />
      {t('load')}
    </button>
  )
}
