import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** How a name server answers: texts, that there is no such name, or that it cannot say. */
type Records = Map<string, string[] | 'FAILS'>

const types = { TXT: 16 }
const codes = { fine: 0, failure: 2, noName: 3 }

/**
 * A name server over UDP that knows TXT records, as RFC 1035 says. Names are asked for in any letters,
 * and a record longer than 255 bytes is sent in parts.
 */
export async function startNameServer() {
  const records: Records = new Map()
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, { address, port }) => {
    const question = questionIn(message)
    asked.push(question.name)
    socket.send(answerTo(message, question, records.get(question.name)), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    asked,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

export type NameServer = Awaited<ReturnType<typeof startNameServer>>

interface Question {
  name: string
  type: number
  /** Where it ends in the message. */
  end: number
}

/** The one question of a message, after the 12 bytes of its header. */
function questionIn(message: Buffer): Question {
  const labels: string[] = []
  let at = 12
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(
  message: Buffer,
  { type, end }: Question,
  found: string[] | 'FAILS' | undefined,
): Buffer {
  const texts = found === 'FAILS' || type !== types.TXT ? [] : (found ?? [])
  const code = found === 'FAILS' ? codes.failure : found ? codes.fine : codes.noName
  const header = Buffer.alloc(12)
  message.copy(header, 0, 0, 2)
  // An answer, to a question that allowed recursion, which is available.
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(texts.length, 6)
  return Buffer.concat([header, message.subarray(12, end), ...texts.map(recordOf)])
}

function recordOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  const data = Buffer.concat(parts)
  const head = Buffer.alloc(12)
  // The name is that of the question, at byte 12.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(types.TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
