import { Icon } from '../../kit/shell/icons.tsx'
import { Progress } from '../../kit/shell/progress.tsx'
import { texts } from '../../language.ts'
import { usePageDrop } from './page_drop.ts'
import type { RunningUpload } from './upload.ts'

export const acceptedTypes =
  'image/jpeg,image/png,image/webp,image/gif,image/avif,image/heic,image/heif,.heic,.heif'

interface DropZoneProps {
  onFiles: (files: File[]) => void
  /** Accept several files. */
  multiple?: boolean
  label?: string
}

/** Takes files dropped anywhere on the page; a click or the keyboard opens the file chooser. */
export function DropZone({ onFiles, multiple = true, label }: DropZoneProps) {
  const t = texts('kit')
  const over = usePageDrop(onFiles)
  return (
    <label class={over ? 'drop-zone over' : 'drop-zone'}>
      <Icon name="upload" />
      <span>{label ?? t('dropHere')}</span>
      <small>{t('dropKinds')}</small>
      <input
        class="hidden"
        type="file"
        accept={acceptedTypes}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

interface UploadListProps {
  uploads: readonly RunningUpload[]
  onDismiss: (id: number) => void
}

/** One line per file that is uploading or was refused. */
export function UploadList({ uploads, onDismiss }: UploadListProps) {
  const t = texts('kit')
  if (uploads.length === 0) return null
  return (
    <ul class="uploads">
      {uploads.map(({ id, name, progress, fault }) => (
        <li key={id}>
          <span class="grow break">{name}</span>
          {fault ? (
            <>
              <span class="error" role="alert">
                {fault}
              </span>
              <button
                type="button"
                class="plain"
                aria-label={t('dismiss')}
                onClick={() => onDismiss(id)}
              >
                <Icon name="close" />
              </button>
            </>
          ) : (
            <Progress label={t('uploading', { name })} value={progress} />
          )}
        </li>
      ))}
    </ul>
  )
}
