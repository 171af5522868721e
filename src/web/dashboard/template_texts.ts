import type { Schemas } from '../api.ts'
import { findText } from '../language.ts'

type Template = Schemas['Template']

/** Name and description of a template in the page's language. */
export function templateTexts(template: Template): Pick<Template, 'name' | 'description'> {
  const { key, name, description } = template
  return {
    name: findText('templates', `${key}.name`) ?? name,
    description: findText('templates', `${key}.description`) ?? description,
  }
}
