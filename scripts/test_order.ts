import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, longest first. Without a record of earlier runs, as on a fresh clone,
 * vitest starts with the largest files, and one of these would still run when all others have ended.
 */
const longest = [
  'every_operation/authorization',
  'every_operation/contract',
  'contract/clients/generated_clients',
  'contract/run/contract_run',
  'upkeep/process',
  'http/attacks',
  'contract/new_field',
  'pages/looks',
  'upkeep/embedded',
  'every_operation/workspace_statements',
  'every_operation/limits',
  'every_operation/parity',
  'contract/guide/samples',
  'contract/clients/older_tools',
  'site/visitor_isolation',
  'pages/business',
  'assistant/faces/face_detector',
  'pages/owners_work',
  'pages/living_contract',
  'catalogue/change_feed_races',
  'contract/contract_outputs',
  'every_operation/bad_input',
  'mcp/conformance',
  'catalogue/product_export',
  'pages/catalogue',
  'upkeep/dev',
  'upkeep/start',
].map((name) => `/test/${name}.test.ts`)

/** A class, because vitest makes an instance of it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name))
      return place < 0 ? longest.length : place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
