import { rebuildIdentityKeys } from '../backfills/identity_keys.ts'
import type { Step } from '../migration.ts'
import { fillTurkicKeys } from '../backfills/turkic_keys.ts'

/* Takes nothing away: gives their keys to products that the build before wrote since 0058. */

export const endsBuildBefore = true

export const steps: readonly Step[] = [
  { name: 'keys of products', run: rebuildIdentityKeys },
  { name: 'second keys of products', run: fillTurkicKeys },
]
