import type { IncomingMessage } from 'node:http'
import proxyAddress from 'proxy-addr'
import { clientOf } from '../core/client_addresses.ts'
import { trustOf } from '../core/proxies.ts'

/** Finds the address that a request counts against, behind the proxies that may name it. */
export function clientIps(trustProxy: string): (request: IncomingMessage) => string {
  const trusted = trustOf(trustProxy)
  return (request) => clientOf(proxyAddress(request, trusted))
}
