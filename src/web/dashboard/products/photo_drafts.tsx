import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { limits } from '../../../generated/limits.ts'
import type { Schemas } from '../../api.ts'
import { keep, keptKey, readKept } from '../../kit/forms/drafts.ts'
import { useUnsaved } from '../../kit/forms/unsaved.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { handOver, isTableFile } from '../changes/import_file.ts'
import { beginRun } from '../changes/run.ts'
import { acceptedTypes, UploadList } from '../media/drop_zone.tsx'
import { usePageDrop } from '../media/page_drop.ts'
import { libraryUploader, useUploads } from '../media/upload.ts'
import { draftOf, lastBrand } from './form.tsx'

type Media = Schemas['Media']

const maxPhotos = limits.ChangeSetCreate.rows.maxItems

/** The name of a draft: that of its file, without its ending. */
function nameOf(fileName: string): string {
  const name = fileName
    .replace(/\.[^.]*$/, '')
    .replaceAll('_', ' ')
    .trim()
  return (name || fileName).slice(0, limits.ProductCreate.name.maxLength)
}

/** Two files may have one name, products may not: the later ones are numbered. */
function namesOf(photos: readonly Media[]): string[] {
  const counts = new Map<string, number>()
  return photos.map(({ fileName }) => {
    const name = nameOf(fileName)
    const count = (counts.get(name.toLowerCase()) ?? 0) + 1
    counts.set(name.toLowerCase(), count)
    return count === 1 ? name : `${name} ${count}`
  })
}

/**
 * Photos that are dropped on the page or chosen become drafts, all in one change set. A table is
 * imported.
 */
export function usePhotoDrafts(brand: string | undefined) {
  const { workspaceId, workspaceName } = useWorkspace()
  const [, navigate] = useLocation()
  const t = texts('catalogue')
  const key = keptKey(`photos:${workspaceId}`)
  // What was uploaded when the page was left becomes drafts when it is seen again.
  const uploaded = useRef(readKept<Media[]>(key) ?? [])
  const { uploads, add, dismiss } = useUploads(libraryUploader(workspaceId), (media) => {
    uploaded.current.push(media)
    keep(key, uploaded.current)
  })
  const isUploading = uploads.some(({ fault }) => fault === undefined)
  useUnsaved(isUploading)
  useEffect(() => {
    const photos = uploaded.current
    if (isUploading || photos.length === 0) return
    uploaded.current = []
    keep(key, undefined)
    const names = namesOf(photos)
    beginRun(workspaceId, {
      title: t('photosToDrafts', { count: photos.length }),
      rows: photos.map((photo, at) => ({
        action: 'create',
        data: { ...draftOf(names[at] ?? '', lastBrand() || brand || workspaceName, photo) },
      })),
    })
  }, [isUploading])
  const take = (files: File[]) => {
    const [file] = files
    if (file && files.length === 1 && isTableFile(file)) {
      handOver(file)
      return navigate(`/w/${workspaceId}/changes/new`)
    }
    if (files.length > maxPhotos) toast(t('photosMax', { count: maxPhotos }))
    add(files.slice(0, maxPhotos))
  }
  return { uploads, take, dismiss }
}

type Drafts = ReturnType<typeof usePhotoDrafts>

/** Takes photos from anywhere on the page, and shows how far they are. */
export function PhotoDrop({ drafts: { uploads, take, dismiss } }: { drafts: Drafts }) {
  const over = usePageDrop(take, { isFallback: true })
  return (
    <>
      {over ? (
        <div class="page-drop" aria-hidden="true">
          {texts('catalogue')('dropIntoDrafts')}
        </div>
      ) : null}
      <UploadList uploads={uploads} onDismiss={dismiss} />
    </>
  )
}

/** The same without a mouse. */
export function PhotoButton({ drafts: { take } }: { drafts: Drafts }) {
  return (
    <label class="button file-button">
      <Icon name="image" />
      {texts('catalogue')('addPhotos')}
      <input
        class="hidden"
        type="file"
        accept={acceptedTypes}
        multiple
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </label>
  )
}
