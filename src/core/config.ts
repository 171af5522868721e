import { resolve } from 'node:path'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { trustOf } from './proxies.ts'
import type { Environment } from './secrets.ts'

export interface Config {
  environment: Environment
  apiPort: number
  dashboardPort: number
  adminPort: number
  /** The public addresses of the three origins, without a trailing slash. */
  baseUrl: string
  dashboardUrl: string
  adminUrl: string
  dataDir: string
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  /** Undefined in development alone, where a key is made once and kept in `dataDir`. */
  secretKey: string | undefined
  /** Undefined in development alone, where mails land in `dataDir`/outbox. */
  smtpUrl: string | undefined
  mailFrom: string
  oidc: { issuer: string; clientId: string; clientSecret: string } | undefined
  /** Undefined in development alone, where the built-in checkout takes its place. */
  stripe: { secretKey: string; webhookSecret: string } | undefined
  /** How long a reservation of credits holds. */
  reservationSeconds: number
  /** Undefined: media lie in `dataDir`/media. */
  s3: S3Settings | undefined
  /** Who is on the staff while nobody else is. */
  adminEmails: string[]
  /** Opens /metrics beside a staff session. */
  metricsToken: string | undefined
  /** Undefined: proof of work that the service makes and checks itself. */
  challenge: ChallengeSettings | undefined
  /** Undefined: the built-in model answers. */
  ai: AiSettings | undefined
  rateLimitPerMinute: number
  customerSessionDays: number
  /** For how long a refresh token that was used may come again without ending its grant. */
  refreshGraceSeconds: number
  webConcurrency: number
  trustProxy: string
  logLevel: string
  seedDemo: boolean
}

export interface S3Settings {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

export interface ChallengeSettings {
  provider: 'turnstile' | 'hcaptcha'
  siteKey: string
  secretKey: string
}

export interface AiSettings {
  provider: 'openai-compatible' | 'openai' | 'anthropic' | 'google'
  baseUrl: string | undefined
  apiKey: string | undefined
  fastModel: string
  comprehensiveModel: string
  timeoutSeconds: number
  /** Whether the models take a reasoning effort. */
  reasoning: boolean
}

/** Bad settings, every one of them at once. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const port = { type: 'integer', minimum: 0, maximum: 65535 }
const text = { type: 'string', minLength: 1 }
const addresses = '^\\s*[^\\s@,]+@[^\\s@,]+(\\s*,\\s*[^\\s@,]+@[^\\s@,]+)*\\s*$'
const origin = { type: 'string', pattern: '^https?://[^/?#]+/?$' }

/** The one place that names the settings. What is not listed here is not read. */
export const settings = {
  ENVIRONMENT: { enum: ['development', 'production'], default: 'development' },
  API_PORT: { ...port, default: 3000 },
  DASHBOARD_PORT: { ...port, default: 3001 },
  ADMIN_PORT: { ...port, default: 3002 },
  BASE_URL: origin,
  DASHBOARD_URL: origin,
  ADMIN_URL: origin,
  DATA_DIR: { ...text, default: '.data' },
  DATABASE_URL: { type: 'string', pattern: '^postgres(ql)?://' },
  SECRET_KEY: { type: 'string', minLength: 32 },
  SMTP_URL: { type: 'string', pattern: '^smtps?://' },
  MAIL_FROM: { ...text, default: 'Vitrine <no-reply@localhost>' },
  OIDC_ISSUER: { type: 'string', format: 'uri' },
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  STRIPE_SECRET_KEY: { type: 'string', pattern: '^(sk|rk)_(test|live)_' },
  STRIPE_WEBHOOK_SECRET: { type: 'string', pattern: '^whsec_.{8,}' },
  RESERVATION_SECONDS: { type: 'integer', minimum: 1, maximum: 86_400, default: 300 },
  S3_ENDPOINT: { type: 'string', format: 'uri' },
  S3_REGION: text,
  S3_BUCKET: text,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  ADMIN_EMAILS: { type: 'string', pattern: addresses },
  METRICS_TOKEN: { type: 'string', minLength: 16 },
  CHALLENGE_PROVIDER: { enum: ['turnstile', 'hcaptcha'] },
  CHALLENGE_SITE_KEY: text,
  CHALLENGE_SECRET_KEY: text,
  AI_PROVIDER: { enum: ['openai-compatible', 'openai', 'anthropic', 'google'] },
  AI_BASE_URL: { type: 'string', format: 'uri', pattern: '^https?://' },
  AI_API_KEY: text,
  AI_FAST_MODEL: text,
  AI_COMPREHENSIVE_MODEL: text,
  // Below the time after which a reservation of credits is released.
  AI_TIMEOUT_SECONDS: { type: 'integer', minimum: 1, maximum: 240, default: 60 },
  AI_REASONING: { type: 'boolean', default: true },
  RATE_LIMIT_PER_MINUTE: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 120 },
  CUSTOMER_SESSION_DAYS: { type: 'integer', minimum: 1, maximum: 3650, default: 365 },
  REFRESH_GRACE_SECONDS: { type: 'integer', minimum: 0, maximum: 300, default: 0 },
  WEB_CONCURRENCY: { type: 'integer', minimum: 1, maximum: 64, default: 1 },
  TRUST_PROXY: { ...text, default: '0' },
  LOG_LEVEL: {
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
  },
  SEED_DEMO: { type: 'boolean', default: true },
} as const

interface Settings {
  ENVIRONMENT: Environment
  API_PORT: number
  DASHBOARD_PORT: number
  ADMIN_PORT: number
  BASE_URL?: string
  DASHBOARD_URL?: string
  ADMIN_URL?: string
  DATA_DIR: string
  DATABASE_URL?: string
  SECRET_KEY?: string
  SMTP_URL?: string
  MAIL_FROM: string
  OIDC_ISSUER?: string
  OIDC_CLIENT_ID?: string
  OIDC_CLIENT_SECRET?: string
  STRIPE_SECRET_KEY?: string
  STRIPE_WEBHOOK_SECRET?: string
  RESERVATION_SECONDS: number
  S3_ENDPOINT?: string
  S3_REGION?: string
  S3_BUCKET?: string
  S3_ACCESS_KEY_ID?: string
  S3_SECRET_ACCESS_KEY?: string
  ADMIN_EMAILS?: string
  METRICS_TOKEN?: string
  CHALLENGE_PROVIDER?: ChallengeSettings['provider']
  CHALLENGE_SITE_KEY?: string
  CHALLENGE_SECRET_KEY?: string
  AI_PROVIDER?: AiSettings['provider']
  AI_BASE_URL?: string
  AI_API_KEY?: string
  AI_FAST_MODEL?: string
  AI_COMPREHENSIVE_MODEL?: string
  AI_TIMEOUT_SECONDS: number
  AI_REASONING: boolean
  RATE_LIMIT_PER_MINUTE: number
  CUSTOMER_SESSION_DAYS: number
  REFRESH_GRACE_SECONDS: number
  WEB_CONCURRENCY: number
  TRUST_PROXY: string
  LOG_LEVEL: string
  SEED_DEMO: boolean
}

/** Reads and checks the settings; throws a ConfigError that lists everything that is wrong. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given: Record<string, unknown> = {}
  // An empty value counts as not set, as in a copied .env file.
  for (const name of Object.keys(settings)) if (env[name]) given[name] = env[name]

  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: true,
    coerceTypes: true,
    strict: false,
    // Compiling the meta-schema, to check what is written above, was a tenth of a start.
    meta: false,
    validateSchema: false,
  })
  formatsPlugin.default(ajv)
  const valid = ajv.compile<Settings>({ type: 'object', properties: settings })
  const problems = valid(given) ? [] : (valid.errors ?? []).map(sentence)
  const values = given as unknown as Settings
  const named = problems.map((problem) => problem.split(' ')[0])
  problems.push(...missingTogether(values), ...unsafeIssuer(values), ...unfitProvider(values))
  problems.push(...foreignStripeKey(values))
  problems.push(...unusable(values).filter((problem) => !named.includes(problem.split(' ')[0])))
  if (values.ENVIRONMENT === 'production') {
    const told = problems.map((problem) => problem.split(' ')[0])
    const missing = missingInProduction(values)
    problems.push(...missing.filter((problem) => !told.includes(problem.split(' ')[0])))
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return configFrom(values)
}

function configFrom(values: Settings): Config {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = values
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = values
  return {
    environment: values.ENVIRONMENT,
    apiPort: values.API_PORT,
    dashboardPort: values.DASHBOARD_PORT,
    adminPort: values.ADMIN_PORT,
    baseUrl: originOf(values.BASE_URL, values.API_PORT),
    dashboardUrl: originOf(values.DASHBOARD_URL, values.DASHBOARD_PORT),
    adminUrl: originOf(values.ADMIN_URL, values.ADMIN_PORT),
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    secretKey: values.SECRET_KEY,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    oidc:
      OIDC_ISSUER && OIDC_CLIENT_ID && OIDC_CLIENT_SECRET
        ? { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET }
        : undefined,
    stripe:
      STRIPE_SECRET_KEY && STRIPE_WEBHOOK_SECRET
        ? { secretKey: STRIPE_SECRET_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET }
        : undefined,
    reservationSeconds: values.RESERVATION_SECONDS,
    s3: s3Of(values),
    adminEmails: adminEmailsOf(values),
    metricsToken: values.METRICS_TOKEN,
    challenge: challengeOf(values),
    ai: aiOf(values),
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    customerSessionDays: values.CUSTOMER_SESSION_DAYS,
    refreshGraceSeconds: values.REFRESH_GRACE_SECONDS,
    webConcurrency: values.WEB_CONCURRENCY,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    seedDemo: values.SEED_DEMO,
  }
}

function originOf(url: string | undefined, ownPort: number): string {
  return new URL(url ?? `http://localhost:${ownPort}`).origin
}

/** Production knows nobody by itself. */
function adminEmailsOf({ ADMIN_EMAILS, ENVIRONMENT }: Settings): string[] {
  const inDevelopment = ENVIRONMENT === 'development' ? 'admin@example.com' : ''
  return (ADMIN_EMAILS ?? inDevelopment)
    .split(',')
    .map((email) => email.trim())
    .filter(Boolean)
}

function s3Of(values: Settings): S3Settings | undefined {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values
  if (!S3_ENDPOINT || !S3_REGION || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY)
    return undefined
  return {
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}

function challengeOf(values: Settings): ChallengeSettings | undefined {
  const { CHALLENGE_PROVIDER, CHALLENGE_SITE_KEY, CHALLENGE_SECRET_KEY } = values
  if (!CHALLENGE_PROVIDER || !CHALLENGE_SITE_KEY || !CHALLENGE_SECRET_KEY) return undefined
  return {
    provider: CHALLENGE_PROVIDER,
    siteKey: CHALLENGE_SITE_KEY,
    secretKey: CHALLENGE_SECRET_KEY,
  }
}

function aiOf(values: Settings): AiSettings | undefined {
  const { AI_PROVIDER, AI_FAST_MODEL, AI_COMPREHENSIVE_MODEL } = values
  if (!AI_PROVIDER || !AI_FAST_MODEL || !AI_COMPREHENSIVE_MODEL) return undefined
  return {
    provider: AI_PROVIDER,
    baseUrl: values.AI_BASE_URL,
    apiKey: values.AI_API_KEY,
    fastModel: AI_FAST_MODEL,
    comprehensiveModel: AI_COMPREHENSIVE_MODEL,
    timeoutSeconds: values.AI_TIMEOUT_SECONDS,
    reasoning: values.AI_REASONING,
  }
}

/** Settings that mean something together alone. */
const groups = {
  'third-party sign-in': ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  payments: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  'an S3 store': [
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_BUCKET',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ],
  'a bot challenge of another service': [
    'CHALLENGE_PROVIDER',
    'CHALLENGE_SITE_KEY',
    'CHALLENGE_SECRET_KEY',
  ],
  'an AI provider': ['AI_PROVIDER', 'AI_FAST_MODEL', 'AI_COMPREHENSIVE_MODEL'],
} as const

function missingTogether(values: Settings): string[] {
  return Object.entries(groups).flatMap(([purpose, names]) => missingOf(values, purpose, names))
}

function missingOf(
  values: Settings,
  purpose: string,
  names: readonly (keyof Settings)[],
): string[] {
  const missing = names.filter((name) => !values[name])
  if (missing.length === 0 || missing.length === names.length) return []
  return missing.map((name) => `${name} is missing: ${purpose} needs all of ${names.join(', ')}.`)
}

/** What has the right form and still cannot be used. */
function unusable(values: Settings): string[] {
  const problems = (['BASE_URL', 'DASHBOARD_URL', 'ADMIN_URL', 'OIDC_ISSUER'] as const)
    .filter((name) => values[name] !== undefined && !URL.canParse(values[name]))
    .map((name) => `${name} is not a valid address.`)
  try {
    trustOf(values.TRUST_PROXY)
  } catch {
    problems.push('TRUST_PROXY must be a number of hops or a list of addresses.')
  }
  return problems
}

/** Sign-in answers must not be forged on the way; only a test issuer on this machine is plain. */
function unsafeIssuer({ OIDC_ISSUER, ENVIRONMENT }: Settings): string[] {
  if (!OIDC_ISSUER?.startsWith('http:') || !URL.canParse(OIDC_ISSUER)) return []
  if (isLoopback(OIDC_ISSUER) && ENVIRONMENT === 'development') return []
  return ['OIDC_ISSUER must be https (http on loopback in development alone).']
}

/** Real money moves in production, and only there. */
function foreignStripeKey({ STRIPE_SECRET_KEY, ENVIRONMENT }: Settings): string[] {
  const mode = ENVIRONMENT === 'production' ? 'live' : 'test'
  const other = ENVIRONMENT === 'production' ? '_test_' : '_live_'
  if (STRIPE_SECRET_KEY?.slice(2, 8) !== other) return []
  return [`STRIPE_SECRET_KEY must be a ${mode} key in ${ENVIRONMENT}.`]
}

/** What a provider needs beside its models. Prompts and keys leave this machine encrypted alone. */
function unfitProvider({ AI_PROVIDER, AI_BASE_URL, AI_API_KEY }: Settings): string[] {
  const problems: string[] = []
  if (AI_PROVIDER === undefined && (AI_BASE_URL !== undefined || AI_API_KEY !== undefined))
    problems.push('AI_PROVIDER is missing: AI_BASE_URL and AI_API_KEY are those of a provider.')
  if (AI_PROVIDER === 'openai-compatible' && !AI_BASE_URL)
    problems.push('AI_BASE_URL is missing: an OpenAI-compatible provider has no other address.')
  if (AI_PROVIDER && AI_PROVIDER !== 'openai-compatible' && !AI_API_KEY)
    problems.push(`AI_API_KEY is missing: ${AI_PROVIDER} needs one.`)
  if (AI_BASE_URL?.startsWith('http:') && !isLoopback(AI_BASE_URL))
    problems.push('AI_BASE_URL must be https unless it is on this machine.')
  return problems
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
}

/** Production starts with nothing made up: every secret, address and transport is stated. */
function missingInProduction(values: Settings): string[] {
  const problems = (
    [
      'SECRET_KEY',
      'DATABASE_URL',
      'SMTP_URL',
      'BASE_URL',
      'DASHBOARD_URL',
      'ADMIN_URL',
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
    ] as const
  )
    .filter((name) => !values[name])
    .map((name) => `${name} must be set in production.`)
  for (const name of ['BASE_URL', 'DASHBOARD_URL', 'ADMIN_URL'] as const)
    if (values[name]?.startsWith('http:')) problems.push(`${name} must be https in production.`)
  if (values.MAIL_FROM.includes('@localhost'))
    problems.push('MAIL_FROM must be an address of your own in production.')
  return problems
}

function sentence(error: ErrorObject): string {
  const name = error.instancePath.slice(1)
  const { allowedValues } = error.params as { allowedValues?: string[] }
  if (allowedValues) return `${name} must be one of ${allowedValues.join(', ')}.`
  return `${name} ${error.message ?? 'is not valid'}.`
}
