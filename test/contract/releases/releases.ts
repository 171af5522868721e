import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Release } from '../../../codegen/compatibility/releases.ts'
import { publicContract, readTools } from '../../../src/core/contract_documents.ts'

const folder = import.meta.dirname
const ending = '.json.gz'

/** The days of the releases, oldest first. */
export const releaseDays = readdirSync(folder)
  .filter((name) => name.endsWith(ending))
  .map((name) => name.slice(0, -ending.length))
  .sort()

/** What integrators and agents saw of the release of a day. */
export function readRelease(day: string): Release {
  return JSON.parse(
    gunzipSync(readFileSync(`${folder}/${day}${ending}`)).toString('utf8'),
  ) as Release
}

/** What they would see today; a fresh copy each time. */
export function today(): Release {
  return JSON.parse(
    `{"document":${publicContract('/')},"tools":${JSON.stringify(readTools())}}`,
  ) as Release
}
