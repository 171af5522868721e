import type { Drawable, Drawing } from './jsx_runtime.ts'

/**
 * Writes what a page draws as HTML. Pages have no state on the server, so a component is a plain
 * function of its properties, and there is no way to insert markup: text is text everywhere.
 */
export function render(drawable: Drawable): string {
  if (typeof drawable === 'string') return escaped(drawable)
  if (drawable === null || drawable === undefined || typeof drawable === 'boolean') return ''
  if (typeof drawable === 'number') return String(drawable)
  let html = ''
  if (!isDrawing(drawable)) {
    for (const each of drawable) html += render(each)
    return html
  }
  const { type, props } = drawable
  if (typeof type !== 'string') return render(type(props as never))
  html = `<${type}`
  for (const name in props) if (name !== 'children') html += attribute(name, props[name])
  if (voidElements.has(type)) return `${html}>`
  const raw = rawElements[type]
  const children = raw ? raw(textOf(props.children)) : render(props.children as Drawable)
  return `${html}>${children}</${type}>`
}

const isDrawing = (drawable: Drawing | readonly Drawable[]): drawable is Drawing =>
  !Array.isArray(drawable)

function attribute(name: string, value: unknown): string {
  if (name === 'dangerouslySetInnerHTML') throw new Error('Markup cannot be inserted.')
  if (typeof value === 'string') return ` ${name}="${escaped(value)}"`
  if (typeof value === 'number') return ` ${name}="${value}"`
  if (value === null || value === undefined) return ''
  if (typeof value !== 'boolean') throw new Error(`The attribute ${name} is no text.`)
  if (name.startsWith('aria-')) return ` ${name}="${value}"`
  return value ? ` ${name}` : ''
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

const special = /[&<>"]/

function escaped(text: string): string {
  if (!special.test(text)) return text
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
