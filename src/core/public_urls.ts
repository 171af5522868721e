import { BlockList, isIP, isIPv4 } from 'node:net'
import { parsedUrl } from './urls.ts'

/** IPv4 ranges outside the public internet, from IANA's special-purpose registry. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * IPv6 ranges inside global unicast that are not public: tunnels that embed an IPv4 address (Teredo,
 * 6to4), identifiers, benchmarking and documentation. Mapped, translated (NAT64), link-local, unique
 * local and multicast addresses are all outside global unicast.
 */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const special = listOf([...special4, ...special6])
const globalUnicast = listOf(['2000::/3'])

function listOf(subnets: string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/')
    list.addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

/** Whether an address, in text form, is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  // A zone names an interface of this machine.
  if (isIP(address) !== 6 || address.includes('%')) return false
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** Names never on the public internet, by RFC 6761 and its successors or by convention. */
const privateNames =
  /(^|\.)(localhost|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion|alt)$/

const maxUrl = 2000

/**
 * Parses a URL that every parser reads alike: printable ASCII, a scheme, a host and no user name,
 * backslash or fragment. Returns the problem, in words, with any other.
 */
export function readPlainUrl(text: unknown): URL | string {
  if (typeof text !== 'string') return 'is not a string'
  if (text.length > maxUrl) return `is longer than ${maxUrl} characters`
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\"<>^`{|}]/.test(text))
    return 'has characters that a URL cannot hold'
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return 'is not a URL'
  if (text.includes('#')) return 'has a fragment'
  // The parser drops an empty user name, so check the text.
  if (/^[^:]+:\/\/[^/?]*@/.test(text)) return 'has a user name'
  return new URL(text)
}

/** The fault of a URL whose host no public name server knows. */
export const privateNameFault = 'has no public host name'

/** Why a URL is not a public https one, in words; undefined if it is. */
export function publicHttpsFault(text: unknown): string | undefined {
  const url = readPlainUrl(text)
  if (typeof url === 'string') return url
  if (url.protocol !== 'https:') return 'is not an https URL'
  const address = addressOf(url)
  if (address !== undefined) return isPublicAddress(address) ? undefined : 'has no public address'
  // A trailing dot would make a second name for the same host, and a wildcard is none at all.
  return isPublicName(url.hostname) ? undefined : privateNameFault
}

/** Whether a host name, in small letters, can be one on the public internet. */
export function isPublicName(hostname: string): boolean {
  const isQualified = /^[a-z0-9._-]+$/.test(hostname) && /\..*[^.]$/.test(hostname)
  return isQualified && !privateNames.test(hostname)
}

/**
 * Schemes that a browser or an operating system handles itself: an answer sent there would run as a
 * script, open a document or reach a host, instead of the agent that claims the scheme.
 */
const commonSchemes = new Set(
  [
    ['http', 'https', 'ws', 'wss', 'ftp', 'ftps', 'sftp', 'ssh', 'file', 'smb', 'ldap', 'jar'],
    ['javascript', 'vbscript', 'data', 'blob', 'filesystem', 'about', 'view-source', 'resource'],
    ['chrome', 'chrome-extension', 'moz-extension', 'edge', 'ms-settings', 'search-ms', 'intent'],
    ['mailto', 'tel', 'sms', 'content', 'urn', 'cid', 'mid', 'ipfs', 'web', 'ms-word', 'ms-excel'],
    [
      'x-safari-http',
      'x-safari-https',
      'googlechrome',
      'googlechromes',
      'microsoft-edge',
      'firefox',
    ],
  ].flat(),
)

/** Why an address cannot be a native agent's own callback, in words; undefined if it can. */
export function nativeCallbackFault(text: string): string | undefined {
  const url = readPlainUrl(text)
  if (typeof url === 'string') return url
  if (text.includes('*')) return 'has a wildcard'
  const scheme = url.protocol.slice(0, -1)
  return commonSchemes.has(scheme) ? `has the scheme ${scheme}, no agent's own` : undefined
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Whether a URL points to this machine. False for text that is not a URL. */
export function isLoopbackUrl(url: string): boolean {
  return loopbackHosts.includes(parsedUrl(url)?.hostname ?? '')
}

/** The IP address in a URL; undefined if the host is a name. */
export function addressOf({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? undefined : address
}
