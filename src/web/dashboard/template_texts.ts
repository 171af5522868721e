import type { Schemas } from '../api.ts'
import { knownText } from '../language.ts'

type Template = Schemas['Template']

/** Name and description of a template in the page's language. */
export function templateTexts(template: Template): Pick<Template, 'name' | 'description'> {
  const { key, name, description } = template
  return {
    name: knownText('templates', `${key}.name`) ?? name,
    description: knownText('templates', `${key}.description`) ?? description,
  }
}
