// What lies beside the service's bundle, however it is made: npm run build and npm run dev share it.

/** Programs that the service starts from files of their own. */
export const startedFromFiles = {
  face_worker: 'src/adapters/face_worker.ts',
  picture_process: 'src/domain/media/picture_process.ts',
}

/** Documents that codegen writes to src/generated and that are not committed. */
export const documents = ['openapi.json', 'openapi.public.json', 'tools.json']

/** The folder of the face worker's library and models; they stay in a folder of this name. */
export const faces = 'src/adapters/faces'
