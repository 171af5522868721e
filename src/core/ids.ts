import { uuidv7obj } from 'uuidv7'

type Prefix =
  | ('acc' | 'ws' | 'mem' | 'key' | 'src' | 'ses' | 'mail' | 'client' | 'grant' | 'evt')
  | ('stf' | 'ctc' | 'aud')
  | ('cus' | 'thr' | 'fbk')
  | ('ent' | 'res' | 'chk' | 'call')
  | ('prod' | 'coll' | 'tag' | 'med' | 'qst')

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** An opaque id that names its kind and sorts by the time it was made: `ws_01k9x5wd8c…`. */
export function newId(prefix: Prefix): string {
  let value = BigInt(`0x${uuidv7obj().toHex()}`)
  let digits = ''
  // 26 digits of five bits hold the 128 bits, the most significant first, so that text sorts by time.
  for (let i = 0; i < 26; i++) {
    digits = alphabet[Number(value & 31n)]! + digits
    value >>= 5n
  }
  return `${prefix}_${digits}`
}
