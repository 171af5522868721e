import { useState } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { texts } from '../../language.ts'
import { DropZone } from '../media/drop_zone.tsx'
import { fitting, Unfit } from '../media/fitting.ts'

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
const maxBytes = Math.floor((limits.Picture.maxLength * 3) / 4)

/** Pictures that are sent with a question and not kept. */
export function ChosenPictures(props: ChosenPicturesProps) {
  const { field, label, hint, max, files, error, onChange } = props
  const k = texts('kit')
  const [unfit, setUnfit] = useState<string>()
  const fault = unfit ?? error
  const add = (added: File[]) => {
    setUnfit(undefined)
    Promise.all(added.map((file) => fitting(file, maxBytes))).then(
      (fit) => onChange([...files, ...fit].slice(0, max)),
      (problem: unknown) => setUnfit(problem instanceof Unfit ? problem.message : String(problem)),
    )
  }
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
      {files.length < max ? <DropZone multiple={max > 1} onFiles={add} /> : null}
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
