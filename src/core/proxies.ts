import proxyAddress from 'proxy-addr'

/** Which proxies may name the client: so many hops, or the addresses that are listed. */
export function trustOf(setting: string): (address: string, hop: number) => boolean {
  if (/^\d+$/.test(setting)) return (_address, hop) => hop < Number(setting)
  return proxyAddress.compile(setting.split(',').map((entry) => entry.trim()))
}
