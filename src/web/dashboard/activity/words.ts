import type { Schemas } from '../../api.ts'
import { findText, texts } from '../../language.ts'

type Activity = Schemas['Activity']

/** What was done, whatever the operation is called. */
export function deedOf({
  operation,
  resourceId,
  changes,
  snapshot,
}: Activity): 'created' | 'deleted' | 'changed' | 'restored' | 'undone' {
  if (operation === 'restore_product') return 'restored'
  if (operation === 'undo_change_set') return 'undone'
  // A product that a set deleted is kept in its entry; one that it changed tells what changed.
  if (operation === 'apply_change_set' && resourceId.startsWith('prod_')) {
    if (snapshot) return 'deleted'
    return changes.length > 0 ? 'changed' : 'created'
  }
  if (/^(create|upload|add_member)/.test(operation)) return 'created'
  if (/^(delete|remove_member)/.test(operation)) return 'deleted'
  return 'changed'
}

/** Who did it: a person, or a person's key or agent by name. */
export function actorOf({ actorName, connectionName, actorType }: Activity): string {
  const t = texts('activity')
  if (actorType === 'API_KEY') return t('byKey', { name: actorName, key: connectionName })
  if (actorType === 'AGENT') return t('byAgent', { name: actorName, agent: connectionName })
  return actorName
}

/** The field's label; its name in the contract if this page is older than the field. */
export function fieldLabel(field: string): string {
  return findText('fields', field) ?? field
}

/** Values of closed lists have words; all others are shown as they are. */
export function valueText(field: string, value: string | null): string {
  if (value === null) return texts('kit')('emptyValue')
  const word = field === 'role' ? findText('front', `role.${value}`) : undefined
  return word ?? findText('catalogue', `${field}.${value}`) ?? value
}
