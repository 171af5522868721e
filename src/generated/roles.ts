// Generated from openapi.yaml by `npm run codegen`. Do not edit.

/** The roles of a workspace, that of its owner included. */
export const roles = ['owner', 'staff', 'billing'] as const
export type Role = (typeof roles)[number]

/** The tags of the operations that the dashboard serves inside a workspace. */
export type WorkspaceTag = 'activity' | 'ai_settings' | 'change_sets' | 'collections' | 'credits' | 'domains' | 'feedback' | 'integrations' | 'knowledge' | 'media' | 'members' | 'products' | 'questions' | 'tags' | 'usage' | 'wallet' | 'webhooks' | 'website' | 'workspace'

/** What each role may do in the dashboard, by the tag of an operation. */
export const powers: Readonly<Record<Role, readonly WorkspaceTag[]>> = {
  owner: ['activity', 'ai_settings', 'change_sets', 'collections', 'credits', 'domains', 'feedback', 'integrations', 'knowledge', 'media', 'members', 'products', 'questions', 'tags', 'usage', 'wallet', 'webhooks', 'website', 'workspace'],
  staff: ['activity', 'change_sets', 'collections', 'feedback', 'knowledge', 'media', 'products', 'questions', 'tags', 'usage'],
  billing: ['credits', 'usage', 'wallet'],
}
