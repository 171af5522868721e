import { rebuildIdentityKeys } from '../backfills/identity_keys.ts'
import type { Step } from '../migration.ts'

/*
 * ı and i, and İ and i, are different letters in a product's name, SKU and barcode from here on. Only
 * the keys of values with ı or İ change. No two products become equal, because the new keys tell apart
 * all that the old ones did.
 *
 * The build before goes on writing old keys for up to an hour. Until 0026 writes them again, a product
 * that it wrote with ı or İ keeps a name with i from being taken, and two products can be given the
 * same name with ı or İ, one by each build.
 */

export const steps: readonly Step[] = [{ name: 'keys of products', run: rebuildIdentityKeys }]
