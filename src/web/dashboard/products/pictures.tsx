import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Schemas } from '../../api.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { useRowFocus } from '../../kit/forms/row_focus.ts'
import { SteadyButton } from '../../kit/forms/steady_button.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { DropZone, UploadList } from '../media/drop_zone.tsx'
import { MediaPicker } from '../media/picker.tsx'
import { libraryUploader, useUploads } from '../media/upload.ts'

type Media = Schemas['Media']

interface PicturesProps {
  images: Media[]
  error: string | undefined
  onChange: (change: (images: Media[]) => Media[]) => void
}

/** A product's pictures in order: drop, choose, drag or move with the keyboard. */
export function Pictures({ images, error, onChange }: PicturesProps) {
  const { workspaceId } = useWorkspace()
  const [t, f] = [texts('catalogue'), texts('fields')]
  const [picking, setPicking] = useState(false)
  const [draggedId, setDraggedId] = useState<string | undefined>()
  const [announcement, announce] = useState('')
  const rows = useRowFocus<HTMLElement>()
  const keepFocus = useFocusRestore(images)
  const add = (media: Media) =>
    onChange((now) => (now.some(({ id }) => id === media.id) ? now : [...now, media]))
  const { uploads, add: upload, dismiss } = useUploads(libraryUploader(workspaceId), add)
  const move = (id: string, to: number) => onChange((now) => withMoved(now, id, to))
  const step = ({ id, fileName: name }: Media, to: number) => {
    keepFocus()
    move(id, to)
    announce(t('pictureAt', { name, position: to + 1, total: images.length }))
  }
  return (
    <section
      class="card"
      aria-labelledby="pictures"
      data-field="images"
      data-label={f('images')}
      ref={rows.container}
    >
      <header>
        <h2 id="pictures">{f('images')}</h2>
        <button type="button" onClick={() => setPicking(true)}>
          {t('fromLibrary')}
        </button>
      </header>
      {images.length > 0 ? (
        <ol class="pictures">
          {images.map((media, at) => (
            <li
              key={media.id}
              data-row
              draggable
              class={draggedId === media.id ? 'dragged' : undefined}
              onDragStart={() => setDraggedId(media.id)}
              onDragEnd={() => setDraggedId(undefined)}
              onDragOver={(event) => {
                if (draggedId === undefined) return
                event.preventDefault()
                if (draggedId !== media.id) move(draggedId, at)
              }}
            >
              <img src={media.url} alt={media.fileName} />
              {at === 0 ? <span class="cover">{t('cover')}</span> : null}
              <PictureTools
                {...{ media, at, last: images.length - 1 }}
                onStep={(to) => step(media, to)}
                onRemove={() => {
                  onChange((now) => now.filter(({ id }) => id !== media.id))
                  rows.afterRemoval(at)
                }}
              />
            </li>
          ))}
        </ol>
      ) : null}
      <p class="hidden" role="status">
        {announcement}
      </p>
      <UploadList uploads={uploads} onDismiss={dismiss} />
      <DropZone onFiles={upload} />
      {error ? <p class="error">{error}</p> : <p class="hint">{t('picturesHint')}</p>}
      {picking ? (
        <MediaPicker
          onClose={() => setPicking(false)}
          onPick={(media) => {
            add(media)
            setPicking(false)
          }}
        />
      ) : null}
    </section>
  )
}

/** Restores the focus that a button loses when its picture moves in the DOM. */
function useFocusRestore(images: Media[]): () => void {
  const focused = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (focused.current instanceof HTMLElement) focused.current.focus()
    focused.current = null
  }, [images])
  return () => {
    focused.current = document.activeElement
  }
}

function withMoved(images: Media[], id: string, to: number): Media[] {
  const media = images.find((one) => one.id === id)
  if (!media) return images
  return images.filter((one) => one !== media).toSpliced(to, 0, media)
}

interface ToolsProps {
  media: Media
  at: number
  last: number
  onStep: (to: number) => void
  onRemove: () => void
}

function PictureTools({ media, at, last, onStep, onRemove }: ToolsProps) {
  const t = texts('catalogue')
  const name = media.fileName
  return (
    <div class="picture-tools">
      <SteadyButton
        plain
        label={t('moveEarlier', { name })}
        disabled={at === 0}
        onClick={() => onStep(at - 1)}
      >
        ‹
      </SteadyButton>
      <SteadyButton
        plain
        label={t('moveLater', { name })}
        disabled={at === last}
        onClick={() => onStep(at + 1)}
      >
        ›
      </SteadyButton>
      <button
        type="button"
        class="plain"
        aria-label={t('removePicture', { name })}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
