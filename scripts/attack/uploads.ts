import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { type Attack, outcomeOf, type Scene, statusOf } from './attack.ts'

const megabyte = 1024 * 1024
const uploadPath = ({ attacker }: Scene) => `/v1/workspaces/${attacker.workspaceId}/media/upload`

export const heldUploads: Attack = {
  name: 'held uploads',
  tried: '20 uploads of nine files each, whose last bytes are withheld',
  async run(scene) {
    const file = Buffer.alloc(9 * megabyte, 1)
    const head = (name: number) =>
      `--edge\r\nContent-Disposition: form-data; name="files"; filename="${name}.png"\r\n` +
      'Content-Type: image/png\r\n\r\n'
    const statuses: number[] = []
    const uploads = Array.from({ length: scene.times(20) }, () => {
      const upload = request(`${scene.origin}${uploadPath(scene)}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${scene.attacker.apiKey}`,
          'Content-Type': 'multipart/form-data; boundary=edge',
        },
      })
      upload.on('response', ({ statusCode = 0 }) => statuses.push(statusCode))
      // A refused upload is then cut off.
      upload.on('error', () => undefined)
      for (let part = 0; part < 9; part++) {
        upload.write(head(part))
        upload.write(file)
        upload.write('\r\n')
      }
      return upload
    })
    await delay(scene.times(8) * 1000)
    for (const upload of uploads) upload.destroy()
    return { sent: uploads.length, refused: statuses.length }
  },
}

let picture = ''

export const pictures: Attack = {
  name: 'pictures',
  tried: '49 large pictures of one account at once',
  async prepare() {
    const side = 6000
    const shape = { width: side, height: side, channels: 3, background: '#ace' } as const
    const bytes = await sharp({ create: shape }).png().toBuffer()
    picture = bytes.toString('base64')
  },
  async run(scene) {
    const body = JSON.stringify({ fileName: 'a.png', mimeType: 'image/png', base64: picture })
    const path = `/v1/workspaces/${scene.attacker.workspaceId}/media`
    const headers = { 'Content-Type': 'application/json' }
    const upload = () =>
      statusOf(scene, path, { method: 'POST', token: scene.attacker.apiKey, body, headers })
    return outcomeOf(await Promise.all(Array.from({ length: scene.times(49) }, upload)))
  },
}
