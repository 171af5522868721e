import type { Operation } from './document.ts'

/** What was found, by operation. */
export interface Report {
  count(operation: Operation | string, status: number, code?: string): void
  /** Whether some answer of the operation had this code. */
  hasSeen(operation: Operation, code: string): boolean
  /** The same fault is told once, with the first call that showed it. */
  violate(operation: Operation | string, fault: string, call?: string): void
  violations(): { operation: string; message: string }[]
  calls(): number
  /** A line for each operation. */
  table(): string
  /** The results in the form that CI services read. */
  junit(seconds: number): string
}

interface Row {
  statuses: Map<number, number>
  codes: Set<string>
  violations: Map<string, string>
}

const newRow = (): Row => ({ statuses: new Map(), codes: new Set(), violations: new Map() })

export function createReport(): Report {
  const rows = new Map<string, Row>()
  const rowOf = (operation: Operation | string) => {
    const name = typeof operation === 'string' ? operation : operation.id
    const row = rows.get(name) ?? newRow()
    rows.set(name, row)
    return row
  }
  const callsOf = ({ statuses }: Row) =>
    [...statuses.values()].reduce((sum, count) => sum + count, 0)
  const sorted = () => [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  const messagesOf = ({ violations }: Row) =>
    [...violations].map(([fault, call]) => (call === '' ? fault : `${fault}\n  ${call}`))

  return {
    count(operation, status, code) {
      const { statuses, codes } = rowOf(operation)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (code !== undefined) codes.add(code)
    },
    hasSeen: (operation, code) => rowOf(operation).codes.has(code),
    violate(operation, fault, call = '') {
      const { violations } = rowOf(operation)
      if (!violations.has(fault)) violations.set(fault, call)
    },
    violations: () =>
      sorted().flatMap(([operation, row]) =>
        messagesOf(row).map((message) => ({ operation, message })),
      ),
    calls: () => [...rows.values()].reduce((sum, row) => sum + callsOf(row), 0),
    table() {
      const width = Math.max(...[...rows.keys()].map((name) => name.length))
      const lines = sorted().map(([name, row]) => {
        const statuses = [...row.statuses]
          .sort(([a], [b]) => a - b)
          .map(([status, count]) => `${status}×${count}`)
        const found = row.violations.size
        const verdict = (found === 0 ? 'ok' : `${found} FOUND`).padEnd(9)
        return `${name.padEnd(width)} ${String(callsOf(row)).padStart(6)}  ${verdict} ${statuses.join(' ')}`
      })
      return lines.join('\n')
    },
    junit(seconds) {
      const cases = sorted().map(([name, row]) => {
        const failures = messagesOf(row).map(
          (message) => `<failure message="${escaped(message)}"/>`,
        )
        return `  <testcase classname="contract" name="${escaped(name)}">${failures.join('')}</testcase>`
      })
      const failed = [...rows.values()].filter(({ violations }) => violations.size > 0).length
      const totals = `tests="${rows.size}" failures="${failed}" time="${seconds.toFixed(1)}"`
      return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="contract" ${totals}>\n${cases.join('\n')}\n</testsuite>\n`
    },
  }
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Also without characters that XML cannot have. */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>"\n]/g, (letter) => entities[letter]!)
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '?')
}
