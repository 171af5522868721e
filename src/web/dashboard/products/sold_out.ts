import type { operations } from '../../../generated/types.ts'

type SoldOutQuery = operations['list_products']['parameters']['query']

/**
 * Products that visitors read as sold out. Others without stock, such as drafts made from photos, ask nothing of the
 * owner: whether their 0 was counted or never entered, the service does not know.
 */
export const soldOut: SoldOutQuery = { status: ['ACTIVE'], stock: 'OUT', view: 'summary' }

export const soldOutAt = (workspaceId: string) =>
  `/w/${workspaceId}/products?status=ACTIVE&stock=OUT`
