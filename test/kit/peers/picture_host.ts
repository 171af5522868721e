import { createPublicDownload, type PublicDownload } from '../../../src/adapters/public_download.ts'
import { exampleOf } from '../../../src/core/examples.ts'
import { startMetadataHost, type MetadataHost } from './metadata_host.ts'

/** The hosts of the contract's example and of the addresses that tests of limits make up. */
const hostnames = ['images.example.com', 'x.example']

/** Downloads from a host on loopback, started when it is first needed, with one picture everywhere. */
export function pictureDownloads(): { download: PublicDownload; close: () => Promise<void> } {
  let starting: Promise<MetadataHost> | undefined
  return {
    async download(request, work) {
      starting ??= startMetadataHost(hostnames)
      const host = await starting
      const { pathname } = new URL(request.url)
      host.serve(pathname, { body: Buffer.from(exampleOf('MediaUpload').base64, 'base64') })
      return createPublicDownload(host.fetchParts)(request, work)
    },
    close: async () => (await starting)?.close(),
  }
}
