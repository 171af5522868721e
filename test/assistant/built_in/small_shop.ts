import type { ProductChat } from '../../../src/domain/assistant/ai_model.ts'

/** A shop that says nothing of its own. */
export const smallShop: ProductChat['shop'] = {
  workspaceId: 'w',
  name: 'Kiln',
  sector: 'GENERAL',
  language: 'en',
  ownerPrompt: '',
  contact: { email: null, links: [] },
  synonyms: [],
  knowledge: [],
}
