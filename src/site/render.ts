import type { Drawable } from './jsx_runtime.ts'

/**
 * Writes what a page draws as HTML. Pages have no state on the server, so a component is a plain
 * function of its properties, and there is no way to insert markup: text is text everywhere.
 */
export function render(drawable: Drawable): string {
  const parts: string[] = []
  write(drawable, parts)
  return parts.join('')
}

function write(drawable: Drawable, parts: string[]): void {
  if (drawable === null || drawable === undefined || typeof drawable === 'boolean') return
  if (typeof drawable !== 'object') return void parts.push(escaped(String(drawable)))
  if (!('type' in drawable)) {
    for (const child of drawable) write(child, parts)
    return
  }
  const { type, props } = drawable
  if (typeof type !== 'string') return write(type(props as never), parts)
  parts.push(`<${type}`)
  for (const [name, value] of Object.entries(props)) writeAttribute(name, value, parts)
  parts.push('>')
  if (voidElements.has(type)) return
  const raw = rawElements[type]
  if (raw) parts.push(raw(textOf(props.children)))
  else write(props.children as Drawable, parts)
  parts.push(`</${type}>`)
}

function writeAttribute(name: string, value: unknown, parts: string[]): void {
  if (name === 'children' || name === 'key' || value === null || value === undefined) return
  if (name === 'dangerouslySetInnerHTML') throw new Error('Markup cannot be inserted.')
  if (value === false && !name.startsWith('aria-')) return
  if (value === true && !name.startsWith('aria-')) return void parts.push(` ${name}`)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new Error(`The attribute ${name} is no text.`)
  parts.push(` ${name}="${escaped(String(value))}"`)
}

const voidElements = new Set(['base', 'br', 'hr', 'img', 'input', 'link', 'meta', 'source'])

/** Elements whose text a browser does not decode: what would end them cannot stand in them. */
const rawElements: Partial<Record<string, (text: string) => string>> = {
  // Only for JSON, where the escape means the same.
  script: (text) => text.replaceAll('<', '\\u003c'),
  style: (text) => {
    if (text.includes('<')) throw new Error('A style must not contain markup.')
    return text
  },
}

function textOf(children: unknown): string {
  if (children === undefined) return ''
  if (typeof children !== 'string') throw new Error('Scripts and styles have one text.')
  return children
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
