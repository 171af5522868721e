import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { ConfirmDialog, Dialog } from '../../kit/dialog.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { Icon } from '../../kit/icons.tsx'
import { toast, toastFailure } from '../../kit/toasts.tsx'
import { formatBytes, formatTime, texts } from '../../language.ts'
import { catalogue } from '../../messages/catalogue.ts'
import { kit } from '../../messages/kit.ts'
import { useWorkspace } from '../../session.ts'
import { DropZone } from './drop_zone.tsx'
import { usesOf } from './uses.ts'

type Media = Schemas['Media']

interface MediaDialogProps {
  media: Media
  onClose: () => void
  /** With the picture as it now is, or nothing where it was deleted. */
  onChanged: (media: Media | undefined) => void
}

/** One picture: what it is, where it is used, a new file in its place, its end. */
export function MediaDialog({ media, onClose, onChanged }: MediaDialogProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts(catalogue), texts(kit)]
  const [deleting, setDeleting] = useState(false)
  const [busy, setBusy] = useState(false)
  const params = { path: { workspaceId, id: media.id } }
  const name = media.fileName
  const replace = ([file]: File[]) => {
    if (!file) return
    setBusy(true)
    replacement(file)
      .then((body) => ask(api.PUT('/v1/workspaces/{workspaceId}/media/{id}', { params, body })))
      .then((changed) => {
        toast(t('replaced'))
        onChanged(changed)
      }, toastFailure)
      .finally(() => setBusy(false))
  }
  const remove = async () => {
    await ask(api.DELETE('/v1/workspaces/{workspaceId}/media/{id}', { params }))
    toast(t('deleted', { name }))
    onChanged(undefined)
  }
  return (
    <Dialog title={name} onClose={onClose} size="large">
      <div class="media-detail">
        <img src={media.url} alt={name} />
        <div class="stack">
          <p class="muted">
            {media.mimeType} · {formatBytes(media.size)}
            <br />
            {formatTime(media.createdAt)}
            <br />
            {usesOf(media)}
          </p>
          {busy ? <p role="status">{k('saving')}</p> : null}
          <DropZone multiple={false} label={t('replaceMedia', { name })} onFiles={replace} />
          <div class="row">
            <CopyButton text={media.url} />
            <button type="button" onClick={() => setDeleting(true)}>
              <Icon name="trash" />
              {k('delete')}
            </button>
          </div>
        </div>
      </div>
      {deleting ? (
        <ConfirmDialog
          danger
          title={t('deleteMedia', { name })}
          action={k('delete')}
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          <p>
            {media.usageCount === 0
              ? t('deleteMediaUnused')
              : t('deleteMediaHint', { count: media.usageCount })}
          </p>
        </ConfirmDialog>
      ) : null}
    </Dialog>
  )
}

/** A file as the service takes it in the place of another; it checks the type by the bytes itself. */
async function replacement(file: File): Promise<Schemas['MediaUpload']> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return { fileName: file.name, mimeType: file.type as Schemas['MimeType'], base64: btoa(binary) }
}
