import { publicContract } from '../../core/contract_documents.ts'
import { errorCodes, scopes } from '../../generated/operations.ts'

/** A document that is the same for every reader. */
export interface Resource {
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
  text: string
}

/** The public contract, under its public URL, and two tables from it. */
export function createResources(baseUrl: string): Resource[] {
  const mimeType = 'application/json'
  return [
    {
      uri: `${baseUrl}/v1/openapi.json`,
      name: 'openapi',
      title: 'The public contract',
      description: 'The OpenAPI 3.1 document of the REST API, which the tools are made from.',
      mimeType,
      // Built when read: most services are never asked for it here.
      get text() {
        return publicContract(baseUrl)
      },
    },
    {
      uri: 'vitrine://error-codes',
      name: 'error-codes',
      title: 'Error codes',
      description: 'Every code that an error object can carry, with its status and its meaning.',
      mimeType,
      text: JSON.stringify(errorCodes),
    },
    {
      uri: 'vitrine://scopes',
      name: 'scopes',
      title: 'Scopes',
      description: 'Every scope and what it lets an agent do.',
      mimeType,
      text: JSON.stringify(scopes),
    },
  ]
}
