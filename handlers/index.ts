import type { Handlers } from '../src/operation.ts'
import * as account from './account.ts'
import * as integrations from './integrations.ts'
import * as members from './members.ts'
import * as session from './session.ts'
import * as website from './website.ts'
import * as workspace from './workspace.ts'

/** Every operation of the contract. A missing or misnamed handler does not compile. */
export const handlers: Handlers = {
  ...account,
  ...integrations,
  ...members,
  ...session,
  ...website,
  ...workspace,
}
