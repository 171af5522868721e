import { useState } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import { Failure, type Schemas } from '../../api.ts'
import { keep, keptKey, readKept } from '../../kit/forms/drafts.ts'
import { asFailure } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { send } from '../media/upload.ts'

type Upload = Schemas['ChangeSetUpload']
export type ChosenField = Schemas['ImportField'] | null
type Format = Schemas['ChangeSetFile']['format']

const formats: Record<string, Format> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
}

export const fileKinds = Object.keys(formats)
  .map((ending) => `.${ending}`)
  .join(',')

const { maxLength: maxBytes } = limits.ChangeSetFile.file
export const maxMegabytes = maxBytes / 1_000_000

const formatOf = ({ name }: File): Format | undefined =>
  formats[name.split('.').at(-1)?.toLowerCase() ?? '']

/** Whether a file is one of products, by its name. */
export const isTableFile = (file: File): boolean => formatOf(file) !== undefined

/** What a person has chosen for a file; kept over a reload, as the service keeps the file. */
export interface Chosen {
  upload: Upload
  fields: Record<string, ChosenField>
  make: { tags: boolean; collections: boolean }
  /** The plan that was made of it; another one takes its place. */
  setId?: string
}

const keyOf = (workspaceId: string) => keptKey(`import:${workspaceId}`)

/** Whether the columns of a set's file can still be matched in another way. */
export function hasColumns(workspaceId: string, setId: string): boolean {
  return readKept<Chosen>(keyOf(workspaceId))?.setId === setId
}

/** A file that is applied is done with. */
export function forgetImport(workspaceId: string, setId: string): void {
  if (hasColumns(workspaceId, setId)) keep(keyOf(workspaceId), undefined)
}

/** A file that another page was given. */
let handedOver: File | undefined

export function handOver(file: File): void {
  handedOver = file
}

export function takeHandedOver(): File | undefined {
  const file = handedOver
  handedOver = undefined
  return file
}

const sayingSo = (message: string) =>
  new Failure({ status: 400, code: 'invalid_input', message: '', fieldErrors: { file: message } })

async function upload(
  workspaceId: string,
  file: File,
  onProgress: (fraction: number) => void,
): Promise<Upload> {
  const t = texts('changes')
  const format = formatOf(file)
  if (!format) throw sayingSo(t('wrongKind'))
  if (file.size > maxBytes)
    throw sayingSo(texts('kit')('fileTooLarge', { megabytes: maxMegabytes }))
  const form = new FormData()
  form.append('format', format)
  form.append('file', file)
  const path = `/v1/workspaces/${encodeURIComponent(workspaceId)}/change-sets/upload`
  return send<Upload>('POST', path, form, onProgress)
}

/** The file of the page: uploaded, and with what was chosen for its columns. */
export function useImport(workspaceId: string) {
  const [chosen, setChosen] = useState(() => readKept<Chosen>(keyOf(workspaceId)))
  const [progress, setProgress] = useState<{ name: string; value: number } | undefined>()
  const [failure, setFailure] = useState<Failure | undefined>()
  const choose = (next: Chosen | undefined) => {
    keep(keyOf(workspaceId), next)
    setChosen(next)
  }
  const take = (file: File) => {
    setFailure(undefined)
    setProgress({ name: file.name, value: 0 })
    upload(workspaceId, file, (value) => setProgress({ name: file.name, value }))
      .then((uploaded) => {
        const fields = uploaded.columns.map(({ name, field }) => [name, field])
        choose({
          upload: uploaded,
          fields: Object.fromEntries(fields) as Chosen['fields'],
          make: { tags: true, collections: true },
        })
      })
      .catch((error: unknown) => setFailure(asFailure(error)))
      .finally(() => setProgress(undefined))
  }
  return { chosen, choose, progress, failure, take }
}
