/** A fixed window: `points` per `seconds`, starting with the first call of each key. */
export interface RateLimit {
  name: string
  points: number
  seconds: number
}

const hour = 3600

/** Every limit of the service, at the default of 120 requests a minute. */
export const rateLimits = {
  connection: { name: 'requests', points: 120, seconds: 60 },
  experience: { name: 'experience', points: 600, seconds: 60 },
  /** All connections of an account together: more keys must not mean more calls without end. */
  connectionsOfAccount: { name: 'requests-account', points: 1200, seconds: 60 },
  experienceOfAccount: { name: 'experience-account', points: 6000, seconds: 60 },
  /** Published reads, which all visitors of a shop share. */
  published: { name: 'published', points: 6000, seconds: 60 },
  publishedOfAccount: { name: 'published-account', points: 60_000, seconds: 60 },
  /**
   * For each address with a publishable key: all visitors of a shop use the same key, so it has no limit of
   * its own.
   */
  pagesOfClient: { name: 'page', points: 600, seconds: 60 },
  pageChatsOfClient: { name: 'page-chats', points: 60, seconds: 60 },
  pageCodesOfClient: { name: 'page-codes', points: 20, seconds: hour },
  /** All dashboard sessions of an account together. */
  sessionsOfAccount: { name: 'sessions-account', points: 600, seconds: 60 },
  /** Each new key sends a mail to its account, and each new owner one to the other owners. */
  keysOfAccount: { name: 'keys-account', points: 100, seconds: hour },
  memberChanges: { name: 'member-changes', points: 100, seconds: hour },
  visitor: { name: 'visitor', points: 30, seconds: 60 },
  /** In addition to `visitor`, for calls that cost credits. */
  aiOfVisitor: { name: 'ai', points: 10, seconds: 60 },
  /**
   * The first limits codes by purpose, address and requester, so that a stranger who requests codes cannot
   * use up those of the address's owner. The second limits what many strangers together can send to one
   * address. A known browser counts as its own requester, and against the first limit alone.
   */
  codesOfAddress: { name: 'codes-address', points: 5, seconds: hour },
  codesOfAddressInAll: { name: 'codes-address-all', points: 30, seconds: hour },
  codesOfClient: { name: 'codes-client', points: 100, seconds: hour },
  /** A whole shop calls from one key. */
  codesOfKey: { name: 'codes-key', points: 1000, seconds: hour },
  /** From all workspaces together; further mails are not sent. */
  mailsOfAddress: { name: 'mails-address', points: 20, seconds: hour },
  /**
   * In a shop's pages and with a publishable key. The first limit is for each requester; the second bounds
   * what many can guess together.
   */
  customerCodesOfAddress: { name: 'customer-codes-address', points: 5, seconds: hour },
  customerCodesOfAddressInAll: { name: 'customer-codes-address-all', points: 10, seconds: hour },
  /** Five tries for each code that a client may request. */
  triesOfClient: { name: 'tries-client', points: 500, seconds: hour },
  /**
   * By purpose, address and client, across codes: a new code brings no new tries, and a stranger's tries do
   * not use up those of the address's owner.
   */
  triesOfAddress: { name: 'tries-address', points: 30, seconds: 24 * hour },
  /** Wrong codes from all unknown browsers together, counted for each UTC day in the database. */
  failuresOfAddress: { name: 'failures-address', points: 100, seconds: 24 * hour },
  /** For each address, in a shop's pages: search results are not kept, so each page is drawn anew. */
  searchesOfClient: { name: 'searches-client', points: 60, seconds: 60 },
  /** Messages of agents, for each address in a shop. */
  agentsOfClient: { name: 'agents-client', points: 60, seconds: 60 },
  /** Counted clicks on links to shops, for each address in a shop's pages. */
  clicksOfClient: { name: 'clicks-client', points: 60, seconds: 60 },
  /** For each address in a shop: visitors of its pages have no key that would count them together. */
  chatsOfClient: { name: 'chats-client', points: 60, seconds: 60 },
  writesOfClient: { name: 'writes-client', points: 60, seconds: 60 },
  customerCodesOfClient: { name: 'customer-codes-client', points: 20, seconds: hour },
  /** New guests, for each address in a shop: each guest gets a quota of their own. */
  guestsOfClient: { name: 'guests-client', points: 60, seconds: hour },
  contactsOfClient: { name: 'contacts-client', points: 20, seconds: hour },
  /**
   * Reports of a shop, which need no script and so no challenge: what one address sends about it, and what all do.
   * They come in addition to `contactsOfClient`, which bounds an address that reports many shops.
   */
  reportsOfClient: { name: 'reports-client', points: 5, seconds: hour },
  reportsOfShop: { name: 'reports-shop', points: 30, seconds: hour },
  /** A whole shop may fetch its visitors' challenges from one address. */
  challengesOfClient: { name: 'challenges-client', points: 600, seconds: 60 },
  /** By address: an upload URL is used without a credential. */
  uploadsOfClient: { name: 'uploads-client', points: 600, seconds: 60 },
  registrationsOfClient: { name: 'register-client', points: 20, seconds: hour },
  /** A hosted agent registers each of its users, some of them twice. */
  registrationsOfHost: { name: 'register-host', points: 5000, seconds: hour },
  authorizationsOfClient: { name: 'authorize-client', points: 60, seconds: 60 },
  /**
   * Per OAuth client and person. A hosted agent is one client at few addresses that serves thousands
   * of people, who must not lock each other out.
   */
  tokensOfConnection: { name: 'token-connection', points: 60, seconds: 60 },
  /** Stops guessing of client ids and tokens. */
  tokensOfClient: { name: 'token-client', points: 600, seconds: 60 },
  /** A hosted agent refreshes the tokens of all its users. */
  tokensOfHost: { name: 'token-host', points: 6000, seconds: 60 },
  /** For each workspace: a check asks other people's name servers. */
  domainLooks: { name: 'domain-looks', points: 60, seconds: hour },
  /** For each workspace: the certificate authority limits all shops together, whichever of them asks. */
  certificates: { name: 'certificates', points: 20, seconds: 24 * hour },
  invitationsOfAddress: { name: 'invitations-address', points: 5, seconds: hour },
  invitationsOfAccount: { name: 'invitations-account', points: 100, seconds: hour },
} as const satisfies Record<string, RateLimit>

/** RATE_LIMIT_PER_MINUTE sets the first limit and scales all others in proportion. */
export function scaledLimit({ name, points, seconds }: RateLimit, perMinute: number): RateLimit {
  const scaled = Math.ceil((points * perMinute) / rateLimits.connection.points)
  return { name, points: scaled, seconds }
}
