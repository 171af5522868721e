// Generated from src/db/migrations/ by `npm run codegen`. Do not edit.

import type { Migrations } from '../db/migration.ts'
import * as m0001_service from '../db/migrations/0001_service.ts'
import * as m0002_accounts from '../db/migrations/0002_accounts.ts'
import * as m0003_workspaces from '../db/migrations/0003_workspaces.ts'
import * as m0004_catalogue from '../db/migrations/0004_catalogue.ts'
import * as m0005_catalogue_speed from '../db/migrations/0005_catalogue_speed.ts'
import * as m0006_media_uploads from '../db/migrations/0006_media_uploads.ts'
import * as m0007_agents from '../db/migrations/0007_agents.ts'
import * as m0008_usage from '../db/migrations/0008_usage.ts'
import * as m0009_visitors from '../db/migrations/0009_visitors.ts'
import * as m0010_wallets from '../db/migrations/0010_wallets.ts'
import * as m0011_challenges from '../db/migrations/0011_challenges.ts'
import * as m0012_administration from '../db/migrations/0012_administration.ts'
import * as m0013_chats from '../db/migrations/0013_chats.ts'
import * as m0015_catalogue_words from '../db/migrations/0015_catalogue_words.ts'
import * as m0016_counted_lists from '../db/migrations/0016_counted_lists.ts'
import * as m0017_found_words from '../db/migrations/0017_found_words.ts'
import * as m0018_administration_folding from '../db/migrations/0018_administration_folding.ts'
import * as m0019_migration_steps from '../db/migrations/0019_migration_steps.ts'
import * as m0020_workspace_keys from '../db/migrations/0020_workspace_keys.ts'
import * as m0021_usage_months from '../db/migrations/0021_usage_months.ts'
import * as m0022_identity_keys from '../db/migrations/0022_identity_keys.ts'
import * as m0023_name_order from '../db/migrations/0023_name_order.ts'
import * as m0024_workspace_keys_alone from '../db/migrations/0024_workspace_keys_alone.ts'
import * as m0025_usage_months_alone from '../db/migrations/0025_usage_months_alone.ts'
import * as m0026_names_alone from '../db/migrations/0026_names_alone.ts'
import * as m0027_media_removals from '../db/migrations/0027_media_removals.ts'
import * as m0029_mail_turns from '../db/migrations/0029_mail_turns.ts'
import * as m0030_email_changes from '../db/migrations/0030_email_changes.ts'
import * as m0031_disputes_and_retention from '../db/migrations/0031_disputes_and_retention.ts'
import * as m0032_agent_connections from '../db/migrations/0032_agent_connections.ts'
import * as m0035_catalogue_document from '../db/migrations/0035_catalogue_document.ts'
import * as m0036_catalogue_document_alone from '../db/migrations/0036_catalogue_document_alone.ts'
import * as m0037_unanswered_questions from '../db/migrations/0037_unanswered_questions.ts'
import * as m0038_invitations from '../db/migrations/0038_invitations.ts'
import * as m0039_activities from '../db/migrations/0039_activities.ts'
import * as m0040_balance_alerts from '../db/migrations/0040_balance_alerts.ts'
import * as m0043_owners_since from '../db/migrations/0043_owners_since.ts'
import * as m0044_mail_queue from '../db/migrations/0044_mail_queue.ts'
import * as m0045_mail_queue_alone from '../db/migrations/0045_mail_queue_alone.ts'
import * as m0048_grants_of_one_workspace from '../db/migrations/0048_grants_of_one_workspace.ts'
import * as m0050_asked_questions from '../db/migrations/0050_asked_questions.ts'
import * as m0051_synonyms from '../db/migrations/0051_synonyms.ts'
import * as m0053_trials from '../db/migrations/0053_trials.ts'
import * as m0054_suspended from '../db/migrations/0054_suspended.ts'
import * as m0055_tags_for_the_build_before from '../db/migrations/0055_tags_for_the_build_before.ts'
import * as m0056_tags_alone from '../db/migrations/0056_tags_alone.ts'
import * as m0058_turkic_keys from '../db/migrations/0058_turkic_keys.ts'
import * as m0061_sign_in_guards from '../db/migrations/0061_sign_in_guards.ts'
import * as m0062_mail_of_accounts from '../db/migrations/0062_mail_of_accounts.ts'
import * as m0063_asking_grants from '../db/migrations/0063_asking_grants.ts'
import * as m0065_kept_media from '../db/migrations/0065_kept_media.ts'
import * as m0068_turkic_keys_alone from '../db/migrations/0068_turkic_keys_alone.ts'
import * as m0069_question_replies from '../db/migrations/0069_question_replies.ts'
import * as m0070_catalogue_changes from '../db/migrations/0070_catalogue_changes.ts'
import * as m0071_change_sets from '../db/migrations/0071_change_sets.ts'
import * as m0072_kept_products from '../db/migrations/0072_kept_products.ts'
import * as m0073_webhooks from '../db/migrations/0073_webhooks.ts'
import * as m0074_change_set_files from '../db/migrations/0074_change_set_files.ts'
import * as m0080_website_language from '../db/migrations/0080_website_language.ts'
import * as m0081_page_versions from '../db/migrations/0081_page_versions.ts'
import * as m0110_shop_knowledge from '../db/migrations/0110_shop_knowledge.ts'
import * as m0111_own_conversations from '../db/migrations/0111_own_conversations.ts'
import * as m0112_picture_sizes from '../db/migrations/0112_picture_sizes.ts'
import * as m0113_kept_answers from '../db/migrations/0113_kept_answers.ts'
import * as m0120_free_answers from '../db/migrations/0120_free_answers.ts'
import * as m0130_publishable_keys from '../db/migrations/0130_publishable_keys.ts'
import * as m0140_backups from '../db/migrations/0140_backups.ts'
import * as m0141_workspace_costs from '../db/migrations/0141_workspace_costs.ts'
import * as m0150_session_devices from '../db/migrations/0150_session_devices.ts'
import * as m0151_digests from '../db/migrations/0151_digests.ts'
import * as m0170_site_figures from '../db/migrations/0170_site_figures.ts'
import * as m0171_site_budgets from '../db/migrations/0171_site_budgets.ts'
import * as m0172_approved_names from '../db/migrations/0172_approved_names.ts'
import * as m0190_site_domains from '../db/migrations/0190_site_domains.ts'
import * as m0210_asked_clicks from '../db/migrations/0210_asked_clicks.ts'
import * as m0230_time_zones from '../db/migrations/0230_time_zones.ts'
import * as m0240_coordinator_writes from '../db/migrations/0240_coordinator_writes.ts'
import * as m0250_change_set_attempts from '../db/migrations/0250_change_set_attempts.ts'
import * as m0260_workspace_designs from '../db/migrations/0260_workspace_designs.ts'
import * as m0270_share_pictures from '../db/migrations/0270_share_pictures.ts'
import * as m0281_forgotten_pictures from '../db/migrations/0281_forgotten_pictures.ts'
import * as m0290_reserved_budgets from '../db/migrations/0290_reserved_budgets.ts'
import * as m0300_picture_turns from '../db/migrations/0300_picture_turns.ts'
import * as m0310_approved_domains from '../db/migrations/0310_approved_domains.ts'
import * as m0320_review_mails from '../db/migrations/0320_review_mails.ts'

/** Every migration, in the order it is applied. */
export const migrations: Migrations = {
  '0001_service': m0001_service,
  '0002_accounts': m0002_accounts,
  '0003_workspaces': m0003_workspaces,
  '0004_catalogue': m0004_catalogue,
  '0005_catalogue_speed': m0005_catalogue_speed,
  '0006_media_uploads': m0006_media_uploads,
  '0007_agents': m0007_agents,
  '0008_usage': m0008_usage,
  '0009_visitors': m0009_visitors,
  '0010_wallets': m0010_wallets,
  '0011_challenges': m0011_challenges,
  '0012_administration': m0012_administration,
  '0013_chats': m0013_chats,
  '0015_catalogue_words': m0015_catalogue_words,
  '0016_counted_lists': m0016_counted_lists,
  '0017_found_words': m0017_found_words,
  '0018_administration_folding': m0018_administration_folding,
  '0019_migration_steps': m0019_migration_steps,
  '0020_workspace_keys': m0020_workspace_keys,
  '0021_usage_months': m0021_usage_months,
  '0022_identity_keys': m0022_identity_keys,
  '0023_name_order': m0023_name_order,
  '0024_workspace_keys_alone': m0024_workspace_keys_alone,
  '0025_usage_months_alone': m0025_usage_months_alone,
  '0026_names_alone': m0026_names_alone,
  '0027_media_removals': m0027_media_removals,
  '0029_mail_turns': m0029_mail_turns,
  '0030_email_changes': m0030_email_changes,
  '0031_disputes_and_retention': m0031_disputes_and_retention,
  '0032_agent_connections': m0032_agent_connections,
  '0035_catalogue_document': m0035_catalogue_document,
  '0036_catalogue_document_alone': m0036_catalogue_document_alone,
  '0037_unanswered_questions': m0037_unanswered_questions,
  '0038_invitations': m0038_invitations,
  '0039_activities': m0039_activities,
  '0040_balance_alerts': m0040_balance_alerts,
  '0043_owners_since': m0043_owners_since,
  '0044_mail_queue': m0044_mail_queue,
  '0045_mail_queue_alone': m0045_mail_queue_alone,
  '0048_grants_of_one_workspace': m0048_grants_of_one_workspace,
  '0050_asked_questions': m0050_asked_questions,
  '0051_synonyms': m0051_synonyms,
  '0053_trials': m0053_trials,
  '0054_suspended': m0054_suspended,
  '0055_tags_for_the_build_before': m0055_tags_for_the_build_before,
  '0056_tags_alone': m0056_tags_alone,
  '0058_turkic_keys': m0058_turkic_keys,
  '0061_sign_in_guards': m0061_sign_in_guards,
  '0062_mail_of_accounts': m0062_mail_of_accounts,
  '0063_asking_grants': m0063_asking_grants,
  '0065_kept_media': m0065_kept_media,
  '0068_turkic_keys_alone': m0068_turkic_keys_alone,
  '0069_question_replies': m0069_question_replies,
  '0070_catalogue_changes': m0070_catalogue_changes,
  '0071_change_sets': m0071_change_sets,
  '0072_kept_products': m0072_kept_products,
  '0073_webhooks': m0073_webhooks,
  '0074_change_set_files': m0074_change_set_files,
  '0080_website_language': m0080_website_language,
  '0081_page_versions': m0081_page_versions,
  '0110_shop_knowledge': m0110_shop_knowledge,
  '0111_own_conversations': m0111_own_conversations,
  '0112_picture_sizes': m0112_picture_sizes,
  '0113_kept_answers': m0113_kept_answers,
  '0120_free_answers': m0120_free_answers,
  '0130_publishable_keys': m0130_publishable_keys,
  '0140_backups': m0140_backups,
  '0141_workspace_costs': m0141_workspace_costs,
  '0150_session_devices': m0150_session_devices,
  '0151_digests': m0151_digests,
  '0170_site_figures': m0170_site_figures,
  '0171_site_budgets': m0171_site_budgets,
  '0172_approved_names': m0172_approved_names,
  '0190_site_domains': m0190_site_domains,
  '0210_asked_clicks': m0210_asked_clicks,
  '0230_time_zones': m0230_time_zones,
  '0240_coordinator_writes': m0240_coordinator_writes,
  '0250_change_set_attempts': m0250_change_set_attempts,
  '0260_workspace_designs': m0260_workspace_designs,
  '0270_share_pictures': m0270_share_pictures,
  '0281_forgotten_pictures': m0281_forgotten_pictures,
  '0290_reserved_budgets': m0290_reserved_budgets,
  '0300_picture_turns': m0300_picture_turns,
  '0310_approved_domains': m0310_approved_domains,
  '0320_review_mails': m0320_review_mails,
}
