import { useState } from 'preact/hooks'
import type { Schemas } from '../../api.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { DropZone, UploadList } from './drop_zone.tsx'
import { MediaPicker } from './picker.tsx'
import { libraryUploader, useUploads } from './upload.ts'

interface PictureFieldProps {
  /** The form's name for it. */
  field: string
  label: string
  image: Schemas['Media'] | null
  error: string | undefined
  onChange: (image: Schemas['Media'] | null) => void
}

/** One picture, dropped or chosen from the library. */
export function PictureField({ field, label, image, error, onChange }: PictureFieldProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('catalogue'), texts('kit')]
  const [picking, setPicking] = useState(false)
  const { uploads, add, dismiss } = useUploads(libraryUploader(workspaceId), onChange)
  return (
    <div class="field" role="group" aria-label={label} data-field={field} data-label={label}>
      <span class="label">{label}</span>
      {image ? (
        <img class="chosen-picture" src={image.url} alt={image.fileName} />
      ) : (
        <DropZone multiple={false} onFiles={add} />
      )}
      <UploadList uploads={uploads} onDismiss={dismiss} />
      <div class="row">
        <button type="button" onClick={() => setPicking(true)}>
          {t('fromLibrary')}
        </button>
        {image ? (
          <button type="button" onClick={() => onChange(null)}>
            {k('remove')}
          </button>
        ) : null}
      </div>
      {error ? <p class="error">{error}</p> : null}
      {picking ? (
        <MediaPicker
          onClose={() => setPicking(false)}
          onPick={(media) => {
            onChange(media)
            setPicking(false)
          }}
        />
      ) : null}
    </div>
  )
}
