import { limits } from '../../../generated/limits.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { texts } from '../../language.ts'
import { DropZone } from '../media/drop_zone.tsx'

interface ChosenPicturesProps {
  field: string
  label: string
  hint: string
  max: number
  files: readonly File[]
  error: string | undefined
  onChange: (files: File[]) => void
}

// Four characters of base64 hold three bytes.
const maxBytes = (limits.Picture.maxLength * 3) / 4

/** Pictures that are sent with a question and not kept. */
export function ChosenPictures(props: ChosenPicturesProps) {
  const { field, label, hint, max, files, error, onChange } = props
  const k = texts('kit')
  const megabytes = maxBytes / 1024 / 1024
  const tooLarge = files.some(({ size }) => size > maxBytes)
  const fault = tooLarge ? k('fileTooLarge', { megabytes }) : error
  return (
    <div class="field" role="group" aria-label={label} data-field={field}>
      <span class="label">{label}</span>
      {files.length > 0 ? (
        <ul class="uploads">
          {files.map((file, at) => (
            <li key={`${at} ${file.name}`}>
              <span class="grow break">{file.name}</span>
              <button
                type="button"
                class="plain"
                aria-label={`${k('remove')} ${file.name}`}
                onClick={() => onChange(files.filter((one) => one !== file))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {files.length < max ? (
        <DropZone
          multiple={max > 1}
          megabytes={megabytes}
          onFiles={(added) => onChange([...files, ...added].slice(0, max))}
        />
      ) : null}
      {fault ? (
        <p class="error" role="alert">
          {fault}
        </p>
      ) : (
        <p class="hint">{hint}</p>
      )}
    </div>
  )
}
