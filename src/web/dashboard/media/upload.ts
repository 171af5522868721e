import { useRef, useState } from 'preact/hooks'
import type { paths } from '../../../generated/types.ts'
import { Failure, failureOf, type Schemas } from '../../api.ts'
import { asFailure } from '../../kit/use_load.ts'

type Media = Schemas['Media']

const uploadPath: keyof paths = '/v1/workspaces/{workspaceId}/media/upload'

/** Sends one file. The older way to send, because only it tells how much has been sent. */
function send(workspaceId: string, file: File, onProgress: (part: number) => void): Promise<Media> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', uploadPath.replace('{workspaceId}', encodeURIComponent(workspaceId)))
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(1, total))
    request.onerror = () =>
      reject(new Failure({ status: 0, code: 'offline', message: 'The connection was lost.' }))
    request.onload = () => {
      const answer = parsed(request.responseText)
      const [media] = (answer as Partial<Schemas['UploadedMedia']>)?.media ?? []
      if (request.status === 200 && media) resolve(media)
      else
        reject(
          failureOf(
            { status: request.status, url: request.responseURL },
            answer,
            request.getResponseHeader('Retry-After'),
          ),
        )
    }
    const form = new FormData()
    form.append('files', file)
    request.send(form)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface Upload {
  id: number
  name: string
  /** From 0 to 1. */
  sent: number
  failure?: Failure
}

let counter = 0

/** Uploads files one after the other; each has a line with its progress until it is there. */
export function useUploads(workspaceId: string, onUploaded: (media: Media) => void) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const queue = useRef(Promise.resolve())
  const act = useRef(onUploaded)
  act.current = onUploaded
  const update = (id: number, change: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)))
  const dismiss = (id: number) => setUploads((all) => all.filter((one) => one.id !== id))

  const sendOne = async (id: number, file: File) => {
    try {
      const media = await send(workspaceId, file, (sent) => update(id, { sent }))
      dismiss(id)
      act.current(media)
    } catch (thrown) {
      update(id, { failure: asFailure(thrown) })
    }
  }
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      const id = ++counter
      setUploads((all) => [...all, { id, name: file.name, sent: 0 }])
      queue.current = queue.current.then(() => sendOne(id, file))
    }
  }
  return { uploads, add, dismiss }
}
