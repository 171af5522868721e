import { isIP } from 'node:net'

/**
 * The part of an address that identifies one client: an IPv4 address, also if mapped into IPv6, or
 * the /64 of an IPv6 address, since a home or a server usually has a whole /64.
 */
export function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const ip = mapped ?? address
  if (isIP(ip) === 4) return ip
  if (isIP(ip) !== 6) return 'unknown'
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const start = head === '' ? [] : head.split(':')
  const end = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - start.length - end.length
  const groups = [...start, ...Array<string>(Math.max(0, zeros)).fill('0'), ...end]
  const half = groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16))
  return `${half.join(':')}::/64`
}
