import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { ConfirmDialog, Dialog } from '../../kit/shell/dialog.tsx'
import { CopyButton } from '../../kit/shell/copy.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { formatBytes, formatTime, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { HistoryLink } from '../activity/history_link.tsx'
import { DropZone, UploadList } from './drop_zone.tsx'
import { replacementUploader, useUploads } from './upload.ts'
import { usesOf } from './uses.ts'
import { UsesList } from './uses_list.tsx'

type Media = Schemas['Media']

interface MediaDialogProps {
  media: Media
  onClose: () => void
  /** Called with the updated picture, or undefined if it was deleted. */
  onChanged: (media: Media | undefined) => void
}

/** Details of one picture: where it is used, replace, delete. */
export function MediaDialog({ media, onClose, onChanged }: MediaDialogProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('catalogue'), texts('kit')]
  const [deleting, setDeleting] = useState(false)
  const params = { path: { workspaceId, id: media.id } }
  const name = media.fileName
  const replacement = useUploads(replacementUploader(workspaceId, media.id), (updated) => {
    toast(t('replaced'))
    onChanged(updated)
  })
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
          <UsesList media={media} />
          <DropZone
            multiple={false}
            label={t('replaceMedia', { name })}
            onFiles={(files) => replacement.add(files.slice(0, 1))}
          />
          <UploadList uploads={replacement.uploads} onDismiss={replacement.dismiss} />
          <div class="row">
            <HistoryLink of={{ resourceId: media.id }} />
            <CopyButton text={media.url} label={t('copyAddress')} />
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
