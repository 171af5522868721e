import { Resolver } from 'node:dns'
import { resolve } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { parsedUrl, registrableDomain } from '../core/urls.ts'
import { trustOf } from '../core/proxies.ts'
import { isLoopbackUrl, nativeCallbackFault } from '../core/public_urls.ts'
import type { Group, Setting } from './setting.ts'
import { everySetting, isGroup, settings } from './settings.ts'
import type { Settings, Values } from './values.ts'

export type Config = ReturnType<typeof configFrom>
export type S3Settings = NonNullable<Config['s3']>
export type ChallengeSettings = NonNullable<Config['challenge']>
export type AiSettings = NonNullable<Config['ai']>

/** Lists all bad settings at once. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

type Variables = Record<string, string | undefined>
/** Values by the name of their environment variable. */
type RawValues = Record<string, unknown>

const entries = Object.entries<Setting | Group>(settings)

/** Reads and checks the settings; throws a ConfigError that lists everything that is wrong. */
export function readConfig(env: Variables): Config {
  const raw: RawValues = {}
  // An empty value counts as not set, as in a copied .env file.
  for (const { name } of everySetting) if (env[name]) raw[name] = env[name]

  const problems = malformed(raw)
  const values = valuesFrom(raw)
  // Report each setting once: later problems often follow from the first.
  const report = (more: string[]) => {
    const reported = new Set(problems.map(nameIn))
    problems.push(...more.filter((problem) => !reported.has(nameIn(problem))))
  }
  problems.push(...incompleteGroups(raw), ...unsafeIssuer(values), ...unfitProvider(values))
  problems.push(...foreignStripeKey(values))
  report(unusable(values))
  if (values.environment === 'production') report(missingInProduction(values, raw))
  if (problems.length > 0) throw new ConfigError(problems)
  return configFrom(values)
}

const nameIn = (problem: string) => problem.split(' ')[0]

let compiled: ValidateFunction | undefined

function compile(): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: true,
    coerceTypes: true,
    strict: false,
    // Checking this schema would compile the meta-schema: a tenth of the start-up time.
    meta: false,
    validateSchema: false,
  })
  formatsPlugin.default(ajv)
  const properties = Object.fromEntries(everySetting.map(({ name, schema }) => [name, schema]))
  return ajv.compile({ type: 'object', properties })
}

/** Checks each setting by itself. Fills in defaults and turns texts into numbers and booleans. */
function malformed(raw: RawValues): string[] {
  const valid = (compiled ??= compile())
  return valid(raw) ? [] : (valid.errors ?? []).map(sentence)
}

function sentence(error: ErrorObject): string {
  const name = error.instancePath.slice(1)
  const { allowedValues } = error.params as { allowedValues?: string[] }
  if (allowedValues) return `${name} must be one of ${allowedValues.join(', ')}.`
  return `${name} ${error.message ?? 'is not valid'}.`
}

/** The values in the shape of the table. Their types are only true if there are no problems. */
function valuesFrom(raw: RawValues): Values {
  const valueOf = (entry: Setting | Group): unknown =>
    isGroup(entry)
      ? shaped(Object.entries({ ...entry.required, ...entry.optional }), valueOf)
      : raw[entry.name]
  return shaped(entries, valueOf) as Values
}

function shaped<T>(fields: [string, T][], valueOf: (field: T) => unknown): object {
  return Object.fromEntries(fields.map(([key, field]) => [key, valueOf(field)]))
}

function configFrom(values: Values) {
  const { apiPort, dashboardPort, adminPort } = values
  return {
    ...withWholeGroups(values),
    baseUrl: originOf(values.baseUrl, apiPort),
    dashboardUrl: originOf(values.dashboardUrl, dashboardPort),
    adminUrl: originOf(values.adminUrl, adminPort),
    siteDomain: siteDomainOf(values),
    dataDir: resolve(values.dataDir),
    adminEmails: adminEmailsOf(values),
    nativeCallbacks: nativeCallbacksOf(values),
    dnsServers: listOf(values.dnsServers ?? ''),
  }
}

/** Turns unset groups into undefined; the checks have already refused partly set ones. */
function withWholeGroups(values: Values): Settings {
  const whole = entries.map(([key, entry]) => {
    const value = values[key as keyof Values]
    const isUnset =
      isGroup(entry) && Object.keys(entry.required).some((member) => !(value as RawValues)[member])
    return [key, isUnset ? undefined : value]
  })
  return Object.fromEntries(whole) as Settings
}

function originOf(url: string | undefined, ownPort: number): string {
  return new URL(url ?? `http://localhost:${ownPort}`).origin
}

/** Production has no default: the domain must be one that is used for nothing else. */
function siteDomainOf({ siteDomain, sitePort, environment }: Values): string | undefined {
  return siteDomain ?? (environment === 'development' ? `localhost:${sitePort}` : undefined)
}

/** Production has no default staff. */
function adminEmailsOf({ adminEmails, environment }: Values): string[] {
  return listOf(adminEmails ?? (environment === 'development' ? 'admin@example.com' : ''))
}

function nativeCallbacksOf({ nativeCallbacks }: Values): string[] {
  return listOf(nativeCallbacks ?? '')
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
}

function incompleteGroups(raw: RawValues): string[] {
  return entries.flatMap(([, entry]) => (isGroup(entry) ? missingOf(entry, raw) : []))
}

function missingOf({ purpose, required }: Group, raw: RawValues): string[] {
  const names = Object.values(required).map(({ name }) => name)
  const missing = names.filter((name) => !raw[name])
  if (missing.length === names.length) return []
  return missing.map((name) => `${name} is missing: ${purpose} needs all of ${names.join(', ')}.`)
}

/** Values of the right form that still cannot be used. */
function unusable(values: Values): string[] {
  const { baseUrl, dashboardUrl, adminUrl, oidc, trustProxy, outboundProxy } = values
  const urls = Object.entries({
    BASE_URL: baseUrl,
    DASHBOARD_URL: dashboardUrl,
    ADMIN_URL: adminUrl,
    OIDC_ISSUER: oidc.issuer,
  })
  const problems = urls
    .filter(([, url]) => url !== undefined && !parsedUrl(url))
    .map(([name]) => `${name} is not a valid address.`)
  try {
    trustOf(trustProxy)
  } catch {
    problems.push('TRUST_PROXY must be a number of hops or a list of addresses.')
  }
  if (outboundProxy !== undefined && !isProxyUrl(outboundProxy))
    problems.push('OUTBOUND_PROXY is not a valid address. A % in its password is written %25.')
  if (values.databaseReplicaUrl !== undefined && values.databaseUrl === undefined)
    problems.push('DATABASE_REPLICA_URL is of no use to the embedded database: set DATABASE_URL.')
  if (values.webhookLoopback && values.environment === 'production')
    problems.push('WEBHOOK_LOOPBACK is for development only.')
  for (const server of listOf(values.dnsServers ?? ''))
    if (!isNameServer(server)) problems.push(`DNS_SERVERS names ${server}, which is no address.`)
  for (const callback of nativeCallbacksOf(values)) {
    const fault = nativeCallbackFault(callback)
    if (fault !== undefined) problems.push(`NATIVE_CALLBACKS names ${callback}, which ${fault}.`)
  }
  return problems
}

/** An address, with or without a port. */
function isNameServer(entry: string): boolean {
  try {
    new Resolver().setServers([entry])
    return true
  } catch {
    return false
  }
}

/** Whether a proxy can be used: its name and password are decoded with every fetch. */
function isProxyUrl(address: string): boolean {
  try {
    const { username, password } = new URL(address)
    decodeURIComponent(username)
    decodeURIComponent(password)
    return true
  } catch {
    return false
  }
}

/** Over plain http an issuer's answers could be forged, so it is allowed only for local tests. */
function unsafeIssuer({ oidc: { issuer }, environment }: Values): string[] {
  if (!issuer?.startsWith('http:') || !parsedUrl(issuer)) return []
  if (isLoopbackUrl(issuer) && environment === 'development') return []
  return ['OIDC_ISSUER must be https (http only on loopback in development).']
}

/** Only production may move real money. */
function foreignStripeKey({ stripe, environment }: Values): string[] {
  const mode = environment === 'production' ? 'live' : 'test'
  const other = environment === 'production' ? '_test_' : '_live_'
  if (stripe.secretKey?.slice(2, 8) !== other) return []
  return [`STRIPE_SECRET_KEY must be a ${mode} key in ${environment}.`]
}

/** Checks a provider's address and key. Prompts and keys must not leave this machine in clear text. */
function unfitProvider({ ai: { provider, baseUrl, apiKey } }: Values): string[] {
  const problems: string[] = []
  if (provider === undefined && (baseUrl !== undefined || apiKey !== undefined))
    problems.push('AI_PROVIDER is missing: AI_BASE_URL and AI_API_KEY need a provider.')
  if (provider === 'openai-compatible' && !baseUrl)
    problems.push('AI_BASE_URL is missing: openai-compatible has no default address.')
  if (provider && provider !== 'openai-compatible' && !apiKey)
    problems.push(`AI_API_KEY is missing: ${provider} needs one.`)
  if (baseUrl?.startsWith('http:') && !isLoopbackUrl(baseUrl))
    problems.push('AI_BASE_URL must be https unless it is on this machine.')
  return problems
}

const requiredInProduction = [
  settings.secretKey,
  settings.databaseUrl,
  settings.smtpUrl,
  settings.baseUrl,
  settings.dashboardUrl,
  settings.adminUrl,
  settings.stripe.required.secretKey,
  settings.stripe.required.webhookSecret,
]

/** Production has no defaults for secrets, addresses and transports. */
function missingInProduction(values: Values, raw: RawValues): string[] {
  const problems = requiredInProduction
    .filter(({ name }) => !raw[name])
    .map(({ name }) => `${name} must be set in production.`)
  for (const { name } of [settings.baseUrl, settings.dashboardUrl, settings.adminUrl])
    if (String(raw[name]).startsWith('http:')) problems.push(`${name} must be https in production.`)
  if (values.mailFrom.includes('@localhost'))
    problems.push('MAIL_FROM must be a real address in production.')
  problems.push(...sharedSiteDomain(values))
  return problems
}

/**
 * Shops are other people's pages. Under a domain of ours they could set its cookies, and what browsers
 * think of one of them they would think of all of us.
 */
function sharedSiteDomain({ siteDomain, baseUrl, dashboardUrl, adminUrl }: Values): string[] {
  if (siteDomain === undefined) return []
  const own = registrableDomain(siteDomain.replace(/:.*/, ''))
  const others = [baseUrl, dashboardUrl, adminUrl].map(
    (url) => parsedUrl(url ?? '')?.hostname ?? '',
  )
  if (!others.some((host) => registrableDomain(host) === own)) return []
  return ['SITE_DOMAIN must not share its registered domain with the other addresses.']
}
