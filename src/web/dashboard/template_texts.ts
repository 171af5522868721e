import type { Schemas } from '../api.ts'
import { language } from '../language.ts'
import { turkishTemplates } from '../messages/templates.ts'

type Template = Schemas['Template']

/** What a template is called and what it is for, in the language of the page. */
export function templateTexts(template: Template): Pick<Template, 'name' | 'description'> {
  const turkish = language() === 'tr' ? turkishTemplates[template.key] : undefined
  if (!turkish) return template
  const [name, description] = turkish
  return { name, description }
}
