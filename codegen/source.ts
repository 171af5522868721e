import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import type { Path } from './document.ts'

export interface Finding {
  readonly at: Path
  readonly message: string
}

export interface ContractSource {
  readonly document: unknown
  /** Syntax errors by line. */
  readonly errors: readonly { readonly line: number; readonly message: string }[]
  readonly aliases: readonly Finding[]
  /** The line of a node, or of its nearest existing ancestor. */
  readonly lineOf: (path: Path) => number
}

/** Reads YAML and keeps positions, so that a problem can name its line. */
export function readSource(text: string): ContractSource {
  const counter = new LineCounter()
  const parsed = parseDocument(text, { lineCounter: counter })
  const lineAt = (offset: number) => counter.linePos(offset).line

  const lineOf = (path: Path): number => {
    let node: unknown = parsed.contents
    let offset = parsed.contents?.range?.[0] ?? 0
    for (const key of path) {
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
        if (pair === undefined) break
        if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset
        node = pair.value
      } else if (isSeq(node)) {
        node = node.items[Number(key)]
        offset = (node as { range?: [number] } | undefined)?.range?.[0] ?? offset
      } else break
    }
    return lineAt(offset)
  }

  const aliases: Finding[] = []
  visit(parsed, {
    Alias: (_key, alias, ancestors) => {
      const at = ancestors.flatMap((node, depth) => {
        if (isPair(node) && isScalar(node.key)) return [String(node.key.value)]
        const next: unknown = ancestors[depth + 1] ?? alias
        return isSeq(node) ? [String(node.items.indexOf(next))] : []
      })
      aliases.push({ at, message: `is the YAML alias *${alias.source}: use a $ref` })
    },
  })

  const errors = parsed.errors.map(({ pos, message }) => ({
    line: lineAt(pos[0]),
    message: message.split('\n')[0]?.replace(/ at line \d+.*$/, '') ?? message,
  }))
  const document: unknown = errors.length === 0 ? parsed.toJS() : undefined
  return { document, errors, aliases, lineOf }
}
