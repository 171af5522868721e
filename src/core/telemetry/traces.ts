/** A place in a trace that another system started. */
export interface Trace {
  traceId: string
  /** The span that the request was sent in. */
  parentId: string
  isSampled: boolean
}

/** https://www.w3.org/TR/trace-context/: later versions may add fields at the end. */
const header = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

/** The trace of a `traceparent` header; undefined if there is none, or it is not valid. */
export function traceOf(value: string | string[] | undefined): Trace | undefined {
  const [, traceId, parentId, flags] = (typeof value === 'string' && header.exec(value)) || []
  if (!traceId || !parentId || !flags) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined
  return { traceId, parentId, isSampled: (parseInt(flags, 16) & 1) === 1 }
}
