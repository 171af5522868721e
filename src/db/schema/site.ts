import type { ColumnType, Generated } from 'kysely'
import type { components } from '../../generated/types.ts'
import type { GeneratedText, Json, NullableTimestamp, Timestamp } from './columns.ts'

type Schemas = components['schemas']

export interface SiteTables {
  workspaces: {
    id: string
    name: string
    sub_domain: string
    sub_domain_changed_at: NullableTimestamp
    status: Generated<'ACTIVE' | 'SUSPENDED'>
    billing_email: string
    billing_phone: string | null
    billing_gsm_country_code: string | null
    is_visible: Generated<boolean>
    main_agent_prompt: Generated<string>
    question_library: ColumnType<Schemas['ProductQuestion'][], string | undefined, string>
    synonyms: ColumnType<Schemas['Synonyms']['groups'], string | undefined, string>
    ai_fast_enabled: Generated<boolean>
    ai_comprehensive_enabled: Generated<boolean>
    ai_sector: Generated<Schemas['AiSettings']['sector']>
    /** Whether a person must approve what agents apply to many products. */
    agent_changes_need_approval: Generated<boolean>
    /** The IANA name of the shop's time zone; null until one is chosen. */
    time_zone: string | null
    /** When staff were mailed what the shop is called and have not decided of it since. */
    review_mailed_at: NullableTimestamp
    created_at: Timestamp
    updated_at: Timestamp
    search: GeneratedText
  }
  /** Every subdomain in use, or held for the workspace that gave it up. */
  sub_domains: {
    name: string
    workspace_id: string
    held_until: NullableTimestamp
    /** Whether its pages are shown: staff review some names first. */
    is_approved: Generated<boolean>
  }
  /** Domains that shops claim for their pages; a verified name is one workspace's. */
  site_domains: {
    id: string
    workspace_id: string
    name: string
    token: string
    is_primary: Generated<boolean>
    problem: Schemas['Domain']['problem']
    checked_at: NullableTimestamp
    verified_at: NullableTimestamp
    /** Whether the shop is shown there: staff review some names first. */
    is_approved: Generated<boolean>
    created_at: Timestamp
  }
  websites: {
    workspace_id: string
    template_key: string
    theme: Json<Schemas['Website']['theme']>
    logo_image_id: string | null
    headline: Generated<string>
    tagline: Generated<string>
    about: Generated<string>
    contact_email: string | null
    social_links: Json<string[]>
    seo: Json<Schemas['Website']['seo']>
    access_policy: Json<Schemas['AccessPolicy']>
    language: Generated<Schemas['SiteLanguage']>
    embed_origins: ColumnType<string[], string | undefined, string>
    knowledge: ColumnType<Schemas['ShopAnswer'][], string | undefined, string>
    /** What staff chose for the customized template; null if nothing. */
    design: ColumnType<Schemas['WorkspaceDesign'] | null, undefined, string>
    updated_at: Timestamp
  }
  /** Used challenge solutions, kept until they expire. */
  spent_challenges: {
    fingerprint: Buffer
    expires_at: ColumnType<string, Date, never>
  }
  customers: {
    id: string
    workspace_id: string
    email: string
    name: string
    phone: string | null
    language: string
    created_at: ColumnType<string, Date, never>
    updated_at: ColumnType<string, Date, Date>
  }
  customer_sessions: {
    id: string
    workspace_id: string
    customer_id: string
    token_hash: Buffer
    created_at: ColumnType<string, Date, never>
    expires_at: ColumnType<string, Date, Date>
    revoked_at: NullableTimestamp
  }
  feedback: {
    id: string
    workspace_id: string
    customer_id: string | null
    message: string
    created_at: ColumnType<string, Date, never>
  }
  /** Events on a shop's pages; dates are written and read as text. */
  site_counts: {
    workspace_id: string
    day: string
    kind: string
    name: string
    count: number
  }
  /** The part of these counts whose date differs in the shop's time zone. */
  site_shifts: {
    workspace_id: string
    counted: string
    meant: string
    kind: string
    name: string
    count: number
  }
  /** Visitors of a day, hashed with its salt. */
  site_visitors: {
    day: string
    workspace_id: string
    visitor: Buffer
    /** Whether the visitor got an answer of the assistant. */
    has_asked: Generated<boolean>
  }
  site_salts: {
    day: string
    salt: Buffer
  }
  /** Days on which a visitor came; dates are written and read as text. */
  visits: {
    workspace_id: string
    visitor_id: string
    day: string
  }
}
