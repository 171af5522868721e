import { createPublicDownload, type PublicDownload } from '../../../src/adapters/public_download.ts'
import { exampleOf } from '../../../src/core/examples.ts'
import { type MetadataHost, startMetadataHost } from './metadata_host.ts'

/** The hosts of the contract's example and of the addresses that tests of limits make up. */
const hostnames = ['images.example.com', 'x.example']

const picture = () => Buffer.from(exampleOf('MediaUpload').base64, 'base64')

/** A host of three pictures, over real TLS on loopback. */
export async function startPictureHost(): Promise<MetadataHost & { pictures: string[] }> {
  const host = await startMetadataHost(hostnames)
  const paths = ['/rose.png', '/tulip.png', '/lily.png']
  for (const path of paths) host.serve(path, { body: picture() })
  return { ...host, pictures: paths.map((path) => host.url(path)) }
}

/** Downloads from a host on loopback, started when it is first needed, with one picture everywhere. */
export function pictureDownloads(): { download: PublicDownload; close: () => Promise<void> } {
  let starting: Promise<MetadataHost> | undefined
  return {
    async download(request, work) {
      starting ??= startMetadataHost(hostnames)
      const host = await starting
      host.serve(new URL(request.url).pathname, { body: picture() })
      return createPublicDownload(host.fetchParts)(request, work)
    },
    close: async () => (await starting)?.close(),
  }
}
