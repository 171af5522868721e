import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons.tsx'
import { Progress } from '../../kit/progress.tsx'
import { texts } from '../../language.ts'
import type { Upload } from './upload.ts'

const acceptedTypes = 'image/jpeg,image/png,image/webp,image/gif,image/avif'

interface DropZoneProps {
  onFiles: (files: File[]) => void
  /** Maximum file size. */
  megabytes: number
  /** Accept several files. */
  multiple?: boolean
  label?: string
}

/** Drop target for files; a click or the keyboard opens the file chooser. */
export function DropZone({ onFiles, megabytes, multiple = true, label }: DropZoneProps) {
  const t = texts('kit')
  const [over, setOver] = useState(false)
  useEffect(keepPageOnDrop, [])
  return (
    <label
      class={over ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFiles([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <Icon name="upload" />
      <span>{label ?? t('dropHere')}</span>
      <small>{t('dropKinds', { megabytes })}</small>
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

/** Without this, a file dropped beside the zone would replace the page. */
function keepPageOnDrop(): () => void {
  const keep = (event: Event) => event.preventDefault()
  const events = ['dragover', 'drop']
  for (const event of events) addEventListener(event, keep)
  return () => {
    for (const event of events) removeEventListener(event, keep)
  }
}

interface UploadListProps {
  uploads: readonly Upload[]
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
