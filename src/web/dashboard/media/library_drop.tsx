import { toast } from '../../kit/shell/toasts.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { UploadList } from './drop_zone.tsx'
import { usePageDrop } from './page_drop.ts'
import { libraryUploader, useUploads } from './upload.ts'

/** Puts pictures into the library that are dropped on a page without a place of its own for them. */
export function LibraryDrop() {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const { uploads, add, dismiss } = useUploads(libraryUploader(workspaceId), ({ fileName }) =>
    toast(t('addedToMedia', { name: fileName })),
  )
  const over = usePageDrop(add, { isFallback: true })
  return (
    <>
      {over ? (
        <div class="page-drop" aria-hidden="true">
          {t('dropIntoMedia')}
        </div>
      ) : null}
      <UploadList uploads={uploads} onDismiss={dismiss} />
    </>
  )
}
