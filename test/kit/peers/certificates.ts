import { generateKeyPairSync, sign } from 'node:crypto'

/** Just enough X.509 for a server on loopback: Node can parse certificates but not create them. */
const tags = { integer: 2, bits: 3, octets: 4, oid: 6, utf8: 12, sequence: 0x30, set: 0x31 }

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const long = length < 128 ? [] : length < 256 ? [0x81] : [0x82, length >> 8]
  return Buffer.concat([Buffer.from([tag, ...long, length & 255]), content])
}

const sequence = (...contents: Buffer[]) => der(tags.sequence, ...contents)
const oid = (hex: string) => der(tags.oid, Buffer.from(hex, 'hex'))
const time = (text: string) => der(0x18, Buffer.from(text))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const commonName = oid('550403')
const subjectAltName = oid('551d11')

/** A self-signed certificate for these host names, and its key, both in PEM. */
export function makeCertificate(hostnames: string[]): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const text = der(tags.utf8, Buffer.from('The tests'))
  const name = sequence(der(tags.set, sequence(commonName, text)))
  const names = hostnames.map((hostname) => der(0x82, Buffer.from(hostname)))
  const extension = sequence(subjectAltName, der(tags.octets, sequence(...names)))
  const body = sequence(
    der(0xa0, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const signature = der(tags.bits, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
