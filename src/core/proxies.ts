import proxyAddress from 'proxy-addr'

/** Proxies trusted to name the client: a number of hops, or a list of addresses. */
export function trustOf(setting: string): (address: string, hop: number) => boolean {
  if (/^\d+$/.test(setting)) return (_address, hop) => hop < Number(setting)
  return proxyAddress.compile(setting.split(',').map((entry) => entry.trim()))
}
