import { limits } from '../../src/generated/limits.ts'
import type { Scene } from './attack.ts'

const { information, description } = limits.ProductCreate

/** Gives the attacker's products the longest texts that are legal, in a three-byte script. */
export async function giveLongTexts({ db, attacker }: Scene): Promise<void> {
  await db
    .updateTable('products')
    .set({
      information: '字'.repeat(information.maxLength),
      description: '字'.repeat(description.maxLength),
    })
    .where('workspace_id', '=', attacker.workspaceId)
    .execute()
}
