import type { AdministrationTables } from './schema/administration.ts'
import type { AgentTables } from './schema/agents.ts'
import type { AssistantTables } from './schema/assistant.ts'
import type { CatalogueTables } from './schema/catalogue.ts'
import type { ChangeSetTables } from './schema/change_sets.ts'
import type { CreditTables } from './schema/credits.ts'
import type { MediaTables } from './schema/media.ts'
import type { PeopleTables } from './schema/people.ts'
import type { SiteTables } from './schema/site.ts'
import type { UpkeepTables } from './schema/upkeep.ts'
import type { WebhookTables } from './schema/webhooks.ts'

/** Every table, by its wing. */
export interface Database
  extends
    AdministrationTables,
    AgentTables,
    AssistantTables,
    CatalogueTables,
    ChangeSetTables,
    CreditTables,
    MediaTables,
    PeopleTables,
    SiteTables,
    UpkeepTables,
    WebhookTables {}
