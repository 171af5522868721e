import { ai } from './ai_provider.ts'
import { type Group, group, type Setting, setting } from './setting.ts'

const port = { type: 'integer', minimum: 0, maximum: 65535 } as const
const text = { type: 'string', minLength: 1 } as const
const origin = { type: 'string', pattern: '^https?://[^/?#]+/?$' } as const
const addresses = '^\\s*[^\\s@,]+@[^\\s@,]+(\\s*,\\s*[^\\s@,]+@[^\\s@,]+)*\\s*$'

/**
 * Every setting, once: its type, check and default are inferred from here, and `npm run settings`
 * writes .env.example from it. A variable that is not listed is not read.
 */
export const settings = {
  environment: setting(
    'ENVIRONMENT',
    'development or production. Each refuses credentials and databases of the other.',
    { enum: ['development', 'production'], default: 'development' },
  ),
  apiPort: setting('API_PORT', 'Port of the API.', { ...port, default: 3000 }),
  dashboardPort: setting('DASHBOARD_PORT', 'Port of the dashboard.', { ...port, default: 3001 }),
  adminPort: setting('ADMIN_PORT', 'Port of administration.', { ...port, default: 3002 }),
  sitePort: setting('SITE_PORT', "Port of the shops' pages.", { ...port, default: 3003 }),
  baseUrl: setting(
    'BASE_URL',
    'Public address of the API. Default: http://localhost:API_PORT. https in production.',
    origin,
  ),
  dashboardUrl: setting(
    'DASHBOARD_URL',
    'Public address of the dashboard. Default: http://localhost:DASHBOARD_PORT. https in production.',
    origin,
  ),
  adminUrl: setting(
    'ADMIN_URL',
    'Public address of administration. Default: http://localhost:ADMIN_PORT. https in production.',
    origin,
  ),
  siteDomain: setting(
    'SITE_DOMAIN',
    "Domain of the shops' pages, each at a name before it. Default in development: localhost:SITE_PORT. In production a registered domain of its own; without one there are no such pages.",
    { type: 'string', pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$' },
  ),
  certificateAskPort: setting(
    'CERTIFICATE_ASK_PORT',
    "Port, on loopback only, where a proxy asks whether a shop's name may have a certificate.",
    port,
  ),
  dnsServers: setting(
    'DNS_SERVERS',
    "Name servers that are asked about shops' domains, comma-separated. Default: those of the machine.",
    text,
  ),
  dataDir: setting(
    'DATA_DIR',
    'Folder for the embedded database, local media, and in development secrets and outgoing mail.',
    { ...text, default: '.data' },
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'PostgreSQL to use instead of the embedded one: postgres://user:password@host:5432/database. With several hosts, host1:5432,host2:5432, the one that takes writes.',
    { type: 'string', pattern: '^postgres(ql)?://' },
  ),
  databaseReplicaUrl: setting(
    'DATABASE_REPLICA_URL',
    'A standby of that PostgreSQL, to read catalogues and shops from. It is asked only for what it has as new as the primary. Of several hosts, the first that answers.',
    { type: 'string', pattern: '^postgres(ql)?://' },
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    'Connections of one process to the database, and to its replica. An account holds at most a third of them.',
    { type: 'integer', minimum: 3, maximum: 500, default: 12 },
  ),
  secretKey: setting(
    'SECRET_KEY',
    'Signing key, at least 32 characters. In development one is generated and kept in DATA_DIR.',
    { type: 'string', minLength: 32 },
  ),
  smtpUrl: setting(
    'SMTP_URL',
    'Mail server, smtp:// or smtps://. Without it, in development, mail goes to DATA_DIR/outbox.',
    { type: 'string', pattern: '^smtps?://' },
  ),
  mailFrom: setting('MAIL_FROM', 'Sender of outgoing mail.', {
    ...text,
    default: 'Vitrine <no-reply@localhost>',
  }),
  oidc: group('Dashboard sign-in through an OpenID Connect issuer.', {
    purpose: 'third-party sign-in',
    required: {
      issuer: setting(
        'OIDC_ISSUER',
        'Issuer URL. Register DASHBOARD_URL/auth/oidc/callback there as the redirect URI.',
        { type: 'string', format: 'uri' },
      ),
      clientId: setting('OIDC_CLIENT_ID', 'Client ID at the issuer.', text),
      clientSecret: setting('OIDC_CLIENT_SECRET', 'Client secret at the issuer.', text),
    },
  }),
  stripe: group('Stripe, for buying credits. Without it, in development, a built-in checkout.', {
    purpose: 'payments',
    required: {
      secretKey: setting(
        'STRIPE_SECRET_KEY',
        'Secret or restricted key: a test key in development, a live key in production.',
        { type: 'string', pattern: '^(sk|rk)_(test|live)_' },
      ),
      webhookSecret: setting(
        'STRIPE_WEBHOOK_SECRET',
        'Signing secret of the webhook at BASE_URL/webhooks/payments.',
        { type: 'string', pattern: '^whsec_.{8,}' },
      ),
    },
  }),
  reservationSeconds: setting(
    'RESERVATION_SECONDS',
    'Seconds after which credits reserved for an unfinished AI call are released.',
    { type: 'integer', minimum: 1, maximum: 86_400, default: 300 },
  ),
  starterCredits: setting(
    'STARTER_CREDITS',
    'Credits that a new workspace begins with. Anyone can make an account and some workspaces.',
    { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
  ),
  s3: group('S3-compatible store for media, path style. Without it: DATA_DIR/media.', {
    purpose: 'an S3 store',
    required: {
      endpoint: setting('S3_ENDPOINT', 'URL of the store.', { type: 'string', format: 'uri' }),
      region: setting('S3_REGION', 'Region that requests are signed for.', text),
      bucket: setting('S3_BUCKET', 'Bucket that holds the media.', text),
      accessKeyId: setting('S3_ACCESS_KEY_ID', 'Access key ID.', text),
      secretAccessKey: setting('S3_SECRET_ACCESS_KEY', 'Secret access key.', text),
    },
  }),
  adminEmails: setting(
    'ADMIN_EMAILS',
    'Bootstrap admins, comma-separated, while there is no staff. In development: admin@example.com.',
    { type: 'string', pattern: addresses },
  ),
  metricsToken: setting(
    'METRICS_TOKEN',
    'Bearer token for /metrics at ADMIN_URL, at least 16 characters. Without it: staff only.',
    { type: 'string', minLength: 16 },
  ),
  challenge: group(
    'Bot challenge of a third party, except in the pages of shops. Without it: built-in proof of work.',
    {
      purpose: 'a third-party bot challenge',
      required: {
        provider: setting('CHALLENGE_PROVIDER', 'turnstile or hcaptcha.', {
          enum: ['turnstile', 'hcaptcha'],
        }),
        siteKey: setting('CHALLENGE_SITE_KEY', 'Site key, public.', text),
        secretKey: setting('CHALLENGE_SECRET_KEY', 'Secret key.', text),
      },
    },
  ),
  ai,
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    'Requests per minute for each API key or agent. All other limits scale with it.',
    { type: 'integer', minimum: 1, maximum: 1_000_000, default: 120 },
  ),
  redisUrl: setting(
    'REDIS_URL',
    'Redis that counts calls for all machines together: redis://host:6379. Without it: the database.',
    { type: 'string', pattern: '^rediss?://' },
  ),
  customerSessionDays: setting(
    'CUSTOMER_SESSION_DAYS',
    'Days a customer of a site stays signed in. Each use of the session extends it.',
    { type: 'integer', minimum: 1, maximum: 3650, default: 365 },
  ),
  conversationDays: setting(
    'CONVERSATION_DAYS',
    "Days after its last turn for which a visitor's conversation, or an unanswered question, is kept.",
    { type: 'integer', minimum: 1, maximum: 3650, default: 90 },
  ),
  usageEventMonths: setting(
    'USAGE_EVENT_MONTHS',
    'Whole months for which single usage events are kept. Reports keep their numbers.',
    { type: 'integer', minimum: 1, maximum: 120, default: 14 },
  ),
  refreshGraceSeconds: setting(
    'REFRESH_GRACE_SECONDS',
    'Seconds in which an agent may reuse a refresh token. With 0, reuse ends the connection.',
    { type: 'integer', minimum: 0, maximum: 300, default: 0 },
  ),
  clientMetadataDocuments: setting(
    'CLIENT_METADATA_DOCUMENTS',
    'Accept agents that publish a metadata document. false if this service cannot fetch them.',
    { type: 'boolean', default: true },
  ),
  nativeCallbacks: setting(
    'NATIVE_CALLBACKS',
    'Exact OAuth callbacks of desktop agents with a scheme of their own, comma-separated.',
    text,
  ),
  webhookLoopback: setting(
    'WEBHOOK_LOOPBACK',
    'true lets webhooks send to this machine over http. Development only.',
    { type: 'boolean', default: false },
  ),
  outboundProxy: setting(
    'OUTBOUND_PROXY',
    'http:// proxy for fetching from agents and picture hosts. It must refuse private addresses.',
    { type: 'string', pattern: '^http://[^/?#]+/?$' },
  ),
  webConcurrency: setting(
    'WEB_CONCURRENCY',
    'Worker processes. From 2 on, or with several services, rate limits are shared through the database.',
    { type: 'integer', minimum: 1, maximum: 64, default: 1 },
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    'Seconds for which a stopped process is not ready and still serves. As long as a proxy needs to notice.',
    { type: 'integer', minimum: 0, maximum: 300, default: 0 },
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    'Connections of one process. When it is full, a new one takes the place of an idle one.',
    { type: 'integer', minimum: 10, maximum: 1_000_000, default: 8000 },
  ),
  maxConnectionsPerAddress: setting(
    'MAX_CONNECTIONS_PER_ADDRESS',
    'Connections of one process from one client address; trusted proxies are not counted.',
    { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1000 },
  ),
  receiveSeconds: setting(
    'RECEIVE_SECONDS',
    'Seconds in which a request must have arrived, with its body.',
    { type: 'integer', minimum: 1, maximum: 600, default: 60 },
  ),
  sendSeconds: setting(
    'SEND_SECONDS',
    'Seconds after which a client that takes nothing of its answer is cut off.',
    { type: 'integer', minimum: 1, maximum: 600, default: 60 },
  ),
  pictureSeconds: setting(
    'PICTURE_SECONDS',
    'Seconds after which decoding a picture is ended, and the picture refused.',
    { type: 'integer', minimum: 1, maximum: 600, default: 20 },
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    'Proxies trusted to name the client: a number of hops, or addresses, comma-separated.',
    { ...text, default: '0' },
  ),
  logLevel: setting('LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent.', {
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
  }),
  seedDemo: setting('SEED_DEMO', 'Fill an empty development database with the demo.', {
    type: 'boolean',
    default: true,
  }),
}

export function isGroup(entry: Setting | Group): entry is Group {
  return 'required' in entry
}

/** Every setting of the table, in its order. */
export const everySetting: Setting[] = Object.values<Setting | Group>(settings).flatMap((entry) =>
  isGroup(entry) ? [...Object.values(entry.required), ...Object.values(entry.optional)] : [entry],
)
