/**
 * Rewrites colour profiles. Only what converts colours is copied, each value in exactly the bytes that
 * its type states: names, texts, calibration data and gaps can hold anything.
 */

const headerBytes = 128
const entryBytes = 12
/** The largest table in use, of four inks in 16 bits, takes about half of it. */
const maxBytes = 1024 * 1024
/** No profile has more; each is looked at. */
const maxTags = 100
const maxCurvePoints = 4096

/** The values that convert colours, for each way of conversion. The first way that is complete is kept. */
const ways = [['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'], ['kTRC'], ['A2B0']]
const beside = ['wtpt', 'chad', 'cicp']

interface Tag {
  name: string
  /** Where it lies in the profile: several names may share one value. */
  at: number
  value: Buffer
}

/** The profile without anything else; undefined if it has no conversion that we know. */
export function reducedProfile(profile: Buffer): Buffer | undefined {
  try {
    const tags = tagsOf(profile)
    const way = ways.find((names) => names.every((name) => tags.has(name)))
    if (!way) return undefined
    return assembled(
      profile,
      [...way, ...beside].flatMap((name) => tags.get(name) ?? []),
    )
  } catch (error) {
    // A value lies outside the profile.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function tagsOf(profile: Buffer): Map<string, Tag> {
  const tags = new Map<string, Tag>()
  const count = profile.readUInt32BE(headerBytes)
  if (profile.toString('latin1', 36, 40) !== 'acsp' || count > maxTags) return tags
  for (let index = 0; index < count; index++) {
    const entry = headerBytes + 4 + index * entryBytes
    const name = profile.toString('latin1', entry, entry + 4)
    const at = profile.readUInt32BE(entry + 4)
    const size = profile.readUInt32BE(entry + 8)
    const bytes = profile.subarray(at, at + size)
    if (bytes.length < size) throw new RangeError()
    const length = size < 12 ? undefined : lengthOf(bytes)
    if (length === undefined || length > size) continue
    const value = Buffer.from(bytes.subarray(0, length))
    // Reserved, after the type.
    value.fill(0, 4, 8)
    tags.set(name, { name, at, value })
  }
  return tags
}

/** Parameters of each function of a parametric curve. */
const parameters = [1, 3, 4, 5, 7]

/** Bytes of a value by its type; undefined for types that we do not know, or that are too large. */
function lengthOf(value: Buffer): number | undefined {
  switch (value.toString('latin1', 0, 4)) {
    case 'XYZ ':
      return 20
    case 'sf32':
      return 44
    case 'cicp':
      return 12
    case 'curv': {
      const points = value.readUInt32BE(8)
      return points > maxCurvePoints ? undefined : 12 + points * 2
    }
    case 'para': {
      const count = parameters[value.readUInt16BE(8)]
      return count && 12 + count * 4
    }
    case 'mft1':
      return tableLength(value, { head: 48, width: 1, inputs: 256, outputs: 256 })
    case 'mft2': {
      const [inputs, outputs] = [value.readUInt16BE(48), value.readUInt16BE(50)]
      return tableLength(value, { head: 52, width: 2, inputs, outputs })
    }
    default:
      return undefined
  }
}

/** A table has curves for each input, a grid of outputs, and curves for each output. */
function tableLength(
  value: Buffer,
  {
    head,
    width,
    inputs,
    outputs,
  }: { head: number; width: number; inputs: number; outputs: number },
): number {
  const [from, to, points] = [value.readUInt8(8), value.readUInt8(9), value.readUInt8(10)]
  return head + width * (inputs * from + points ** from * to + outputs * to)
}

/** What a decoder reads of the header: version, class, the two colour spaces, and the intent. */
const keptHeader: [from: number, to: number][] = [
  [8, 24],
  [36, 40],
  [64, 68],
]
/** The white that all profiles refer to. */
const illuminant = [0xf6d6, 0x10000, 0xd32d]

function assembled(profile: Buffer, tags: Tag[]): Buffer | undefined {
  const header = Buffer.alloc(headerBytes)
  for (const [from, to] of keptHeader) profile.copy(header, from, from, to)
  for (const [index, value] of illuminant.entries()) header.writeUInt32BE(value, 68 + index * 4)
  const table = Buffer.alloc(4 + tags.length * entryBytes)
  table.writeUInt32BE(tags.length)
  const values: Buffer[] = []
  const places = new Map<number, number>()
  let end = headerBytes + table.length
  for (const [index, { name, at, value }] of tags.entries()) {
    const place = places.get(at) ?? end
    if (place === end) {
      places.set(at, place)
      const padded = Buffer.concat([value, Buffer.alloc(-value.length & 3)])
      values.push(padded)
      end += padded.length
    }
    const entry = 4 + index * entryBytes
    table.write(name, entry, 'latin1')
    table.writeUInt32BE(place, entry + 4)
    table.writeUInt32BE(value.length, entry + 8)
  }
  if (end > maxBytes) return undefined
  header.writeUInt32BE(end)
  return Buffer.concat([header, table, ...values])
}
