import { ApiError, invalidInput } from '../../core/errors.ts'
import type { components } from '../../generated/types.ts'

type Template = components['schemas']['Template']
type Website = components['schemas']['Website']

interface TemplateDefinition extends Template {
  theme: Website['theme']
}

/** The available templates. To add one, add a row. */
export const templates: readonly TemplateDefinition[] = [
  {
    key: 'minimal',
    name: 'Minimal',
    description: 'A quiet page that leaves the stage to the products.',
    requiresPhone: false,
    theme: { primaryColor: '#1f2937', accentColor: '#2563eb', font: 'Inter' },
  },
  {
    key: 'boutique',
    name: 'Boutique',
    description: 'Large pictures and short texts for a small, chosen range.',
    requiresPhone: false,
    theme: { primaryColor: '#3b2f2f', accentColor: '#c08457', font: 'Playfair Display' },
  },
  {
    key: 'beauty',
    name: 'Beauty',
    description: 'Skin care and cosmetics, with routines and ingredients in view.',
    requiresPhone: false,
    theme: { primaryColor: '#7a2e4d', accentColor: '#f2c6d0', font: 'Inter' },
  },
  {
    key: 'textile',
    name: 'Textile',
    description: 'Clothing and fabrics, with sizes and care in view.',
    requiresPhone: false,
    theme: { primaryColor: '#22313f', accentColor: '#8fa38f', font: 'Work Sans' },
  },
  {
    key: 'customized',
    name: 'Customized',
    description: 'Designed with you: leave a phone number and our team calls.',
    requiresPhone: true,
    theme: { primaryColor: '#111827', accentColor: '#7c3aed', font: 'Inter' },
  },
]

/** The template with this key; checks the phone number that it may require. */
export function requireTemplate(
  key: string,
  phone: { field: string; number: string | null | undefined },
): TemplateDefinition {
  const template = templates.find((candidate) => candidate.key === key)
  if (!template) {
    const reason = ['unknownTemplate', { key }] as const
    throw new ApiError('unknown_template', reason, { templateKey: reason })
  }
  requirePhoneFor(key, phone)
  return template
}

/** Refuses to leave a template without the phone number that it requires. */
export function requirePhoneFor(
  key: string,
  phone: { field: string; number: string | null | undefined },
): void {
  const template = templates.find((candidate) => candidate.key === key)
  if (template?.requiresPhone && !phone.number)
    throw invalidInput({ [phone.field]: ['templateNeedsPhone', { template: template.name }] })
}

/** The name of a template that staff make with the owner, on the phone; undefined for any other. */
export function madeWithStaff(key: string): string | undefined {
  return templates.find((template) => template.key === key && template.requiresPhone)?.name
}

/** Defaults of a new website, besides its template's theme. */
export const defaultAccessPolicy: components['schemas']['AccessPolicy'] = {
  visibility: 'PUBLIC',
  guestAiEnabled: true,
  guestDailyRequests: 5,
  customerDailyRequests: 30,
  challenge: 'GUESTS',
}
