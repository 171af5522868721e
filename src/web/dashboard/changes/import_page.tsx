import { useEffect } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, ask } from '../../api.ts'
import { ExportLink } from '../../kit/lists/export_link.tsx'
import { wholeFailureText } from '../../kit/shell/failures.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Progress } from '../../kit/shell/progress.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { usePageDrop } from '../media/page_drop.ts'
import { setPath } from './change_set.ts'
import { ImportColumns } from './import_columns.tsx'
import { type Chosen, fileKinds, maxMegabytes, takeHandedOver, useImport } from './import_file.ts'

/** A file of products: uploaded, its columns matched, and planned as a change set. */
export function ImportPage() {
  const { workspaceId } = useWorkspace()
  const [, navigate] = useLocation()
  const t = texts('changes')
  const { chosen, choose, progress, failure, take } = useImport(workspaceId)
  useEffect(() => {
    const file = takeHandedOver()
    if (file) take(file)
  }, [])
  const plan = async (wanted: Chosen) => {
    const { upload, fields, make, setId } = wanted
    const { id } = await ask(
      api.POST('/v1/workspaces/{workspaceId}/change-sets', {
        params: { path: { workspaceId } },
        body: { uploadId: upload.uploadId, mapping: fields, make },
      }),
    )
    choose({ ...wanted, setId: id })
    navigate(`/w/${workspaceId}/changes/${id}`)
    // Somebody may have applied or discarded it in the meantime, which is fine, too.
    if (setId !== undefined) {
      const params = { path: { workspaceId, id: setId } }
      await ask(api.POST(`${setPath}/cancel`, { params, body: {} })).catch(() => undefined)
    }
  }
  return (
    <Page
      title={t('import')}
      about={t('importAbout')}
      crumb={{ href: `/w/${workspaceId}/changes`, label: t('title') }}
      actions={
        <ExportLink
          path={`/v1/workspaces/${workspaceId}/products/export`}
          label={t('exampleFile')}
        />
      }
    >
      {failure ? (
        <p class="banner bad" role="alert">
          {wholeFailureText(failure)}
        </p>
      ) : null}
      {progress ? (
        <Uploading {...progress} />
      ) : chosen ? (
        <ImportColumns {...{ chosen, choose, plan }} />
      ) : (
        <FileZone onFile={take} />
      )}
    </Page>
  )
}

/** Takes a file that is dropped anywhere on the page; a click or the keyboard opens the chooser. */
function FileZone({ onFile }: { onFile: (file: File) => void }) {
  const t = texts('changes')
  const take = ([file]: File[]) => {
    if (file) onFile(file)
  }
  const over = usePageDrop(take)
  return (
    <>
      <label class={over ? 'drop-zone over' : 'drop-zone'}>
        <Icon name="upload" />
        <span>{t('dropFile')}</span>
        <small>{t('fileKinds', { megabytes: maxMegabytes })}</small>
        <input
          class="hidden"
          type="file"
          accept={fileKinds}
          onChange={({ currentTarget }) => {
            take([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
      </label>
      <section class="card" aria-labelledby="rules">
        <h2 id="rules">{t('rules')}</h2>
        <ul class="rules">
          <li>{t('rule.match')}</li>
          <li>{t('rule.empty')}</li>
          <li>{t('rule.lists')}</li>
          <li>{t('rule.images')}</li>
        </ul>
      </section>
    </>
  )
}

/** Reading a large file takes longer than sending it. */
function Uploading({ name, value }: { name: string; value: number }) {
  const t = texts('changes')
  const isSent = value >= 1
  const text = isSent ? t('reading', { name }) : texts('kit')('uploading', { name })
  return (
    <section class="card stack" role="status">
      <p class="break">{text}</p>
      <Progress label={text} {...(isSent ? {} : { value })} />
    </section>
  )
}
