// What lies beside the service's bundle, however it is made: npm run build and npm run dev share it.

/** Programs that the service starts from files of their own. */
export const startedFromFiles = {
  face_worker: 'src/adapters/face_worker.ts',
  picture_process: 'src/domain/media/picture_process.ts',
}

/** Documents that codegen writes to src/generated and that are not committed. */
export const documents = [
  'openapi.json',
  'openapi.public.json',
  'openapi.3_0.json',
  'postman.json',
  'llms.txt',
  'guide.json',
  'tools.json',
]

/** The folder of the face worker's library and models; they stay in a folder of this name. */
export const faces = 'src/adapters/faces'

/** The folder of the table of words, likewise. */
export const table = 'src/language/table'

/**
 * Packages that are not in the bundle and that a service with a database of its own may load: those
 * that read files next to their code, and those loaded on demand.
 */
export const loadedAtRunTime = [
  'nodemailer',
  'oauth4webapi',
  'sharp',
  'stripe',
  'ai',
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  'ioredis',
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
]

/** Packages that are bundled, and of which a page also loads files. */
export const servedFromFiles = ['altcha-lib']
