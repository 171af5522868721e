import type { Schemas } from '../api.ts'
import { knownText } from '../language.ts'

type Template = Schemas['Template']

/** What a template is called and what it is for, in the language of the page. */
export function templateTexts(template: Template): Pick<Template, 'name' | 'description'> {
  const { key, name, description } = template
  return {
    name: knownText('templates', `${key}.name`) ?? name,
    description: knownText('templates', `${key}.description`) ?? description,
  }
}
