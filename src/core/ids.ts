import { uuidv7obj } from 'uuidv7'

type Prefix =
  | ('acc' | 'ws' | 'mem' | 'key' | 'src' | 'ses' | 'mail' | 'client' | 'grant' | 'evt')
  | ('stf' | 'ctc' | 'aud' | 'brw')
  | ('cus' | 'fbk')
  | ('ent' | 'res' | 'chk' | 'call')
  | ('prod' | 'coll' | 'tag' | 'med' | 'qst' | 'cs' | 'csu')
  | ('wh' | 'msg' | 'pk' | 'dom')

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** An opaque id with a prefix for its kind that sorts by creation time: `ws_01k9x5wd8c…`. */
export function newId(prefix: Prefix): string {
  let value = BigInt(`0x${uuidv7obj().toHex()}`)
  let digits = ''
  // 26 base-32 digits hold the 128 bits, most significant first, so that ids sort by time as text.
  for (let i = 0; i < 26; i++) {
    digits = alphabet[Number(value & 31n)]! + digits
    value >>= 5n
  }
  return `${prefix}_${digits}`
}
