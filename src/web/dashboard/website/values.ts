import type { Schemas } from '../../api.ts'
import { linesOf, originsIn, withScheme } from '../../kit/forms/addresses.ts'
import { numberIn } from '../../kit/forms/fields.tsx'

export type Website = Schemas['Website']

/** The form's values, flat; keys are field paths in the contract. */
export interface WebsiteValues {
  templateKey: string
  'theme.primaryColor': string
  'theme.accentColor': string
  'theme.font': string
  logo: Schemas['Media'] | null
  headline: string
  tagline: string
  about: string
  contactEmail: string
  socialLinks: string
  embedOrigins: string
  language: Schemas['SiteLanguage']
  'seo.title': string
  'seo.description': string
  'accessPolicy.visibility': Schemas['Visibility']
  'accessPolicy.guestAiEnabled': boolean
  'accessPolicy.guestDailyRequests': string
  'accessPolicy.customerDailyRequests': string
  'accessPolicy.challenge': Schemas['ChallengePolicy']
}

export function valuesOf(website: Website, logo: Schemas['Media'] | null): WebsiteValues {
  const { templateKey, theme, headline, tagline, about, seo, accessPolicy } = website
  return {
    templateKey,
    headline,
    tagline,
    about,
    logo,
    'theme.primaryColor': theme.primaryColor,
    'theme.accentColor': theme.accentColor,
    'theme.font': theme.font,
    contactEmail: website.contactEmail ?? '',
    socialLinks: website.socialLinks.join('\n'),
    embedOrigins: website.embedOrigins.join('\n'),
    language: website.language,
    'seo.title': seo.title,
    'seo.description': seo.description,
    'accessPolicy.visibility': accessPolicy.visibility,
    'accessPolicy.guestAiEnabled': accessPolicy.guestAiEnabled,
    'accessPolicy.guestDailyRequests': String(accessPolicy.guestDailyRequests),
    'accessPolicy.customerDailyRequests': String(accessPolicy.customerDailyRequests),
    'accessPolicy.challenge': accessPolicy.challenge,
  }
}

export function updateOf(values: WebsiteValues): Schemas['WebsiteUpdate'] {
  const { templateKey, headline, tagline, about, logo } = values
  return {
    templateKey,
    headline,
    tagline,
    about,
    theme: {
      primaryColor: values['theme.primaryColor'],
      accentColor: values['theme.accentColor'],
      font: values['theme.font'],
    },
    logoImageId: logo?.id ?? null,
    contactEmail: values.contactEmail.trim() === '' ? null : values.contactEmail.trim(),
    socialLinks: linesOf(values.socialLinks).map(withScheme),
    embedOrigins: originsIn(values.embedOrigins),
    language: values.language,
    seo: { title: values['seo.title'], description: values['seo.description'] },
    accessPolicy: {
      visibility: values['accessPolicy.visibility'],
      guestAiEnabled: values['accessPolicy.guestAiEnabled'],
      guestDailyRequests: numberIn(values['accessPolicy.guestDailyRequests']),
      customerDailyRequests: numberIn(values['accessPolicy.customerDailyRequests']),
      challenge: values['accessPolicy.challenge'],
    },
  }
}
