import type { Handlers } from '../src/operation.ts'
import * as account from './account.ts'
import * as activity from './activity.ts'
import * as administration from './administration.ts'
import * as ai_settings from './ai_settings.ts'
import * as change_sets from './change_sets.ts'
import * as chat from './chat.ts'
import * as collections from './collections.ts'
import * as contact from './contact.ts'
import * as customer from './customer.ts'
import * as domains from './domains.ts'
import * as feedback from './feedback.ts'
import * as credits from './credits.ts'
import * as integrations from './integrations.ts'
import * as knowledge from './knowledge.ts'
import * as media from './media.ts'
import * as members from './members.ts'
import * as products from './products.ts'
import * as questions from './questions.ts'
import * as session from './session.ts'
import * as staff_session from './staff_session.ts'
import * as storefront from './storefront.ts'
import * as tags from './tags.ts'
import * as visits from './visits.ts'
import * as usage from './usage.ts'
import * as wallet from './wallet.ts'
import * as webhooks from './webhooks.ts'
import * as website from './website.ts'
import * as workspace from './workspace.ts'

/** Every operation of the contract. A missing or misnamed handler does not compile. */
export const handlers: Handlers = {
  ...account,
  ...activity,
  ...administration,
  ...ai_settings,
  ...change_sets,
  ...chat,
  ...collections,
  ...contact,
  ...customer,
  ...domains,
  ...feedback,
  ...credits,
  ...integrations,
  ...knowledge,
  ...media,
  ...members,
  ...products,
  ...questions,
  ...session,
  ...staff_session,
  ...storefront,
  ...tags,
  ...visits,
  ...usage,
  ...wallet,
  ...webhooks,
  ...website,
  ...workspace,
}
