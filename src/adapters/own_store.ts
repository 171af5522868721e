import { ApiError } from '../core/errors.ts'
import { type MediaStore, requireOwnStore, storeAway } from './media_store.ts'

/** A store that is used only once it is known to belong to this service's database. */
export interface OwnStore extends MediaStore {
  /** Rejects if the store does not answer, with a refusal, or belongs to another database. */
  verify(): Promise<void>
}

/**
 * The store may be away when the service starts: the catalogue is served without it, and each use asks
 * again. Until then nothing is read from it, and nothing removed.
 */
export function ownStore(
  store: MediaStore,
  identity: () => Promise<{ environment: string; stamp: string }>,
): OwnStore {
  let verifying: Promise<void> | undefined

  function verify(): Promise<void> {
    verifying ??= identity()
      .then((own) => requireOwnStore(store, own))
      .catch((error: unknown) => {
        verifying = undefined
        throw error
      })
    return verifying
  }

  /** A foreign store is as good as none. */
  async function verified(): Promise<MediaStore> {
    try {
      await verify()
    } catch (error) {
      throw error instanceof ApiError ? error : storeAway(error)
    }
    return store
  }

  return {
    verify,
    put: async (...file) => (await verified()).put(...file),
    size: async (key) => (await verified()).size(key),
    read: async (...file) => (await verified()).read(...file),
    delete: async (key) => (await verified()).delete(key),
    async *list() {
      yield* (await verified()).list()
    },
  }
}
