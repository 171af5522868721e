import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** By file, which is never written again. */
const read = new Map<string, Mail>()

/** The mails that a service wrote to its outbox folder, oldest first; each is read once. */
export function mailsIn(folder: string): Mail[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const files = names.filter((name) => name.endsWith('.json')).sort()
  return files.map((name) => {
    const file = join(folder, name)
    if (!read.has(file)) read.set(file, JSON.parse(readFileSync(file, 'utf8')) as Mail)
    return read.get(file)!
  })
}
