import { isNode } from '../document.ts'

/*
 * A value with the variables of the Postman collection in it, `{{productId}}`, as it is written in each
 * language of the samples: readers set variables in their environment.
 */

const variable = /\{\{(\w+)\}\}/g

/** The name of a variable in the environment. */
export function environmentName(name: string): string {
  if (name === 'baseUrl') return 'VITRINE_URL'
  if (name === 'apiKey') return 'VITRINE_KEY'
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/** Runs of a collection must differ from earlier ones; a reader sends a sample once. */
export const withoutRun = (text: string) => text.replaceAll(/[ -]\{\{run\}\}/g, '')

/** A text between double quotes of a shell. */
export function shellText(text: string): string {
  const quoted = text.replaceAll(/[\\"$`]/g, (character) => `\\${character}`)
  return `"${quoted.replaceAll(variable, (_all, name: string) => `$${environmentName(name)}`)}"`
}

/** A body as a here-document, which takes all lines as they are but for the variables. */
export function shellBody(text: string): string {
  if (!/\{\{\w+\}\}/.test(text)) return `<<'JSON'\n${text}\nJSON`
  const quoted = text.replaceAll(/[\\$`]/g, (character) => `\\${character}`)
  const filled = quoted.replaceAll(variable, (_all, name: string) => `$${environmentName(name)}`)
  return `<<JSON\n${filled}\nJSON`
}

export function typescriptText(text: string): string {
  if (!/\{\{\w+\}\}/.test(text)) return `'${escapedText(text).replaceAll("'", "\\'")}'`
  const quoted = escapedText(text).replaceAll(/`|\$\{/g, (mark) => `\\${mark}`)
  const inner = (name: string) => `\${process.env.${environmentName(name)}}`
  return `\`${quoted.replaceAll(variable, (_all, name: string) => inner(name))}\``
}

export function pythonText(text: string): string {
  const [, only] = /^\{\{(\w+)\}\}$/.exec(text) ?? []
  if (only !== undefined) return `os.environ["${environmentName(only)}"]`
  const quoted = escapedText(text).replaceAll('"', '\\"')
  if (!/\{\{\w+\}\}/.test(text)) return `"${quoted}"`
  // Braces of the text itself are doubled in a text with places for values.
  const parts = quoted.split(/(\{\{\w+\}\})/).map((part) => {
    const [, name] = /^\{\{(\w+)\}\}$/.exec(part) ?? []
    if (name !== undefined) return `{os.environ['${environmentName(name)}']}`
    return part.replaceAll(/[{}]/g, (brace) => brace + brace)
  })
  return `f"${parts.join('')}"`
}

/** Backslashes and what does not show, as all three languages write them. */
const escapedText = (text: string) => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')

interface Words {
  readonly text: (text: string) => string
  readonly key: (name: string) => string
  readonly true: string
  readonly false: string
  readonly null: string
}

const typescript: Words = {
  text: typescriptText,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : typescriptText(name)),
  true: 'true',
  false: 'false',
  null: 'null',
}

const python: Words = {
  text: pythonText,
  key: pythonText,
  true: 'True',
  false: 'False',
  null: 'None',
}

export const typescriptValue = (value: unknown) => written(value, typescript, '')
export const pythonValue = (value: unknown) => written(value, python, '')

/** A value on one line where it is short, else a member a line. */
function written(value: unknown, words: Words, indent: string): string {
  if (typeof value === 'string') return words.text(value)
  if (value === null || value === undefined) return words.null
  if (typeof value === 'boolean') return words[`${value}`]
  if (!Array.isArray(value) && !isNode(value)) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const inner = `${indent}${words === python ? '    ' : '  '}`
  const members = Array.isArray(value)
    ? value.map((item) => written(item, words, inner))
    : Object.entries(value).map(
        ([name, item]) => `${words.key(name)}: ${written(item, words, inner)}`,
      )
  const line = members.join(', ')
  if (line.length < 60 && !line.includes('\n')) {
    const space = open === '{' && words === typescript && members.length > 0 ? ' ' : ''
    return `${open}${space}${line}${space}${close}`
  }
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`
}
