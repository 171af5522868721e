import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { prepared } from '../../db/prepared.ts'
import { columnsIn, isoTime, type ReadFields, selectList } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Website = components['schemas']['Website']

const column = columnsIn('websites', 'websites')

/** The only definition of a Website's fields. */
export const websiteFields: ReadFields<Website> = {
  templateKey: column('template_key'),
  theme: column('theme'),
  logoImageId: column('logo_image_id'),
  headline: column('headline'),
  tagline: column('tagline'),
  about: column('about'),
  contactEmail: column('contact_email'),
  socialLinks: column('social_links'),
  seo: column('seo'),
  accessPolicy: column('access_policy'),
  language: column('language'),
  embedOrigins: column('embed_origins'),
  updatedAt: isoTime(column('updated_at')),
}

const findWebsite = prepared<{ workspaceId: string }>()('find_website', (db, parameter) =>
  db
    .selectFrom('websites')
    .select(selectList(websiteFields))
    .where('workspace_id', '=', parameter('workspaceId')),
)

export async function getWebsite(db: Kysely<Database>, workspaceId: string): Promise<Website> {
  const [website] = await findWebsite(db, { workspaceId })
  if (!website) throw notFound('website')
  return website
}

/** The workspace that a challenge is requested for; undefined if there is none. */
export async function findChallengeSite(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('websites')
    .select('workspace_id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row?.workspace_id
}

export async function insertWebsite(
  trx: Transaction<Database>,
  workspaceId: string,
  website: Pick<Website, 'templateKey' | 'theme' | 'seo' | 'accessPolicy' | 'language'>,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('websites')
    .values({
      workspace_id: workspaceId,
      template_key: website.templateKey,
      theme: JSON.stringify(website.theme),
      logo_image_id: null,
      contact_email: null,
      social_links: '[]',
      seo: JSON.stringify(website.seo),
      access_policy: JSON.stringify(website.accessPolicy),
      language: website.language,
      updated_at: now,
    })
    .execute()
}

/** Stores the whole configuration. The caller holds the workspace's lock. */
export async function updateWebsite(
  trx: Transaction<Database>,
  workspaceId: string,
  website: Omit<Website, 'updatedAt'>,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('websites')
    .set({
      template_key: website.templateKey,
      theme: JSON.stringify(website.theme),
      logo_image_id: website.logoImageId,
      headline: website.headline,
      tagline: website.tagline,
      about: website.about,
      contact_email: website.contactEmail,
      social_links: JSON.stringify(website.socialLinks),
      seo: JSON.stringify(website.seo),
      access_policy: JSON.stringify(website.accessPolicy),
      language: website.language,
      embed_origins: JSON.stringify(website.embedOrigins),
      updated_at: now,
    })
    .where('workspace_id', '=', workspaceId)
    .execute()
}
