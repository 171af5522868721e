import { useState } from 'preact/hooks'
import { failureText } from '../../kit/failures.ts'
import { Icon } from '../../kit/icons.tsx'
import { Progress } from '../../kit/progress.tsx'
import { texts } from '../../language.ts'
import { kit } from '../../messages/kit.ts'
import type { Upload } from './upload.ts'

const accepted = 'image/jpeg,image/png,image/webp,image/gif,image/avif'

interface DropZoneProps {
  onFiles: (files: File[]) => void
  /** Whether it takes one file or several. */
  multiple?: boolean
  label?: string
}

/** A place to drop files on; a click or the keyboard opens the chooser instead. */
export function DropZone({ onFiles, multiple = true, label }: DropZoneProps) {
  const t = texts(kit)
  const [over, setOver] = useState(false)
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
      <small>{t('dropKinds')}</small>
      <input
        class="hidden"
        type="file"
        accept={accepted}
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
  uploads: readonly Upload[]
  onDismiss: (id: number) => void
}

/** One line for each file that is on its way, or that was refused. */
export function UploadList({ uploads, onDismiss }: UploadListProps) {
  const t = texts(kit)
  if (uploads.length === 0) return null
  return (
    <ul class="uploads">
      {uploads.map(({ id, name, sent, failure }) => (
        <li key={id}>
          <span class="grow break">{name}</span>
          {failure ? (
            <>
              <span class="error" role="alert">
                {Object.values(failure.fieldErrors)[0] ?? failureText(failure)}
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
            <Progress label={t('uploading', { name })} value={sent} />
          )}
        </li>
      ))}
    </ul>
  )
}
