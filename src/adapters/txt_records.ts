import { Resolver } from 'node:dns/promises'

/** The texts of the TXT records at a name; none if there is no such name. Throws if no name server answers. */
export type TxtLookup = (name: string) => Promise<string[]>

/** Name servers say in these words that there is no such record. */
const absent = new Set(['ENOTFOUND', 'ENODATA'])

const lookMilliseconds = 9000

/** Asks these name servers, or those of the machine. */
export function createTxtLookup(servers: string[]): TxtLookup {
  return async (name) => {
    const resolver = new Resolver({ timeout: 3000, tries: 2 })
    if (servers.length > 0) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), lookMilliseconds)
    try {
      // A long text comes in parts.
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return []
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}
