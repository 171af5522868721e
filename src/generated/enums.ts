// Generated from openapi.yaml by `npm run codegen`. Do not edit.

export const Role = ['owner', 'staff', 'billing'] as const
export const Scope = ['account:read', 'workspaces:read', 'workspaces:write', 'workspace:read', 'workspace:write', 'website:read', 'website:write', 'products:read', 'products:write', 'collections:read', 'collections:write', 'tags:read', 'tags:write', 'media:read', 'media:write', 'storefront:read', 'visitors:read', 'visitors:write', 'ai:write'] as const
export const ErrorCode = ['invalid_input', 'missing_workspace', 'subdomain_unavailable', 'subdomain_cooldown', 'workspace_limit_reached', 'key_limit_reached', 'unknown_template', 'no_face', 'cursor_expired', 'unauthenticated', 'token_expired', 'token_revoked', 'wrong_environment', 'code_invalid', 'sign_in_required', 'visitor_required', 'insufficient_credits', 'wallet_in_debt', 'insufficient_scope', 'account_inactive', 'workspace_inactive', 'not_owner', 'role_insufficient', 'source_blocked', 'access_restricted', 'challenge_required', 'challenge_failed', 'ai_mode_disabled', 'origin_refused', 'not_found', 'method_not_allowed', 'request_timeout', 'duplicate', 'write_conflict', 'change_set_has_errors', 'change_set_state', 'last_owner', 'owners_frozen', 'contact_pending', 'upload_used', 'idempotency_mismatch', 'idempotency_in_progress', 'payload_too_large', 'unsupported_media_type', 'rate_limited', 'quota_exceeded', 'internal', 'unavailable'] as const
export const SiteLanguage = ['en', 'tr'] as const
export const Visibility = ['PUBLIC', 'SIGN_IN', 'CLOSED'] as const
export const ChallengePolicy = ['OFF', 'GUESTS', 'ALWAYS'] as const
export const MimeType = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const
export const ProductOrder = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'name', '-name', 'stock', '-stock'] as const
export const ProductStatus = ['ACTIVE', 'INACTIVE', 'DELETED'] as const
export const ImportField = ['id', 'name', 'brand', 'sku', 'barcode', 'stock', 'status', 'description', 'information', 'tags', 'collections', 'images', 'sales'] as const
export const ChangeSetState = ['PLANNING', 'PLANNED', 'WAITING', 'APPLYING', 'APPLIED', 'UNDOING', 'UNDONE', 'CANCELLED', 'FAILED', 'EXPIRED'] as const
export const DomainProblem = ['NO_RECORD', 'OTHER_VALUE', 'NO_ANSWER'] as const
export const WebhookEvent = ['product.changed', 'product.deleted', 'collection.changed', 'collection.deleted', 'media.changed', 'media.deleted', 'tag.changed', 'tag.deleted', 'website.changed', 'product.out_of_stock', 'feedback.created', 'wallet.low', 'change_set.applied', 'change_set.waiting'] as const
export const ProductField = ['id', 'name', 'brand', 'slug', 'description', 'information', 'images', 'tags', 'sales', 'sku', 'barcode', 'stock', 'status', 'createdAt', 'updatedAt'] as const
export const ActorType = ['OWNER', 'STAFF', 'CUSTOMER', 'GUEST', 'TRIAL', 'API_KEY', 'AGENT', 'SYSTEM'] as const
export const UsageEventName = ['chat.product', 'chat.routine', 'chat.analyze_face', 'visit', 'page.view', 'product.view', 'collection.view', 'click', 'custom', 'feedback.create', 'customer.sign_in', 'management.write', 'credits.purchase', 'credits.refund', 'credits.adjust'] as const
export const ActivityTopic = ['products', 'change_sets', 'webhooks', 'domains', 'collections', 'tags', 'media', 'questions', 'knowledge', 'website', 'ai_settings', 'workspace', 'members'] as const
export const Standing = ['ACTIVE', 'SUSPENDED'] as const
export const HomeSection = ['HERO', 'PRODUCTS', 'COLLECTIONS', 'ABOUT'] as const
export const PictureRatio = ['1:1', '4:5', '3:4', '2:3', '4:3', '3:2'] as const
export const Corners = ['SQUARE', 'SLIGHT', 'ROUND', 'VERY_ROUND'] as const
export const HeadingSize = ['SMALL', 'MEDIUM', 'LARGE'] as const
export const HeadingWeight = ['REGULAR', 'MEDIUM', 'BOLD'] as const
export const SourceKind = ['KEY', 'AGENT'] as const
export const SourceStatus = ['APPROVED', 'BLOCKED'] as const
export const AuditAction = ['update_account_limit', 'update_account_status', 'update_workspace_status', 'update_name_approval', 'update_workspace_design', 'adjust_credits', 'block_source', 'unblock_source', 'mark_contact_request_read', 'create_staff_code', 'add_staff', 'remove_staff'] as const
