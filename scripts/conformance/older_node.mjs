// The suites are written for Node 22. All that an older one lacks of it is `globSync`, which they
// import and which none of the commands that are run here calls.
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const files = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = undefined`
const url = `data:text/javascript,${encodeURIComponent(files)}`

// The hook below is loaded again, in a thread of its own.
if (isMainThread) register(import.meta.url)

export function resolve(specifier, context, next) {
  return specifier === 'fs' ? { url, shortCircuit: true } : next(specifier, context)
}
