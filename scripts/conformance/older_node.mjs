// The suites are written for Node 22. The only thing older versions lack is `globSync`, which the
// suites import but none of the commands used here calls.
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const files = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = undefined`
const url = `data:text/javascript,${encodeURIComponent(files)}`

// The hook below is loaded again, in its own thread.
if (isMainThread) register(import.meta.url)

export function resolve(specifier, context, next) {
  return specifier === 'fs' ? { url, shortCircuit: true } : next(specifier, context)
}
