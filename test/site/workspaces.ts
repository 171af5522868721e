import { type TestService, unique } from '../kit/service.ts'

/** Accounts of the running service that own a workspace or may create one. */
export function ownersOf(service: () => TestService) {
  /** An account with a workspace and a key with every scope. */
  async function givenOwner(options: { templateKey?: string; workspaceLimit?: number } = {}) {
    const { workspaceLimit = 10, ...template } = options
    const person = await service().givenPerson({ workspaceLimit })
    const workspace = await service().givenWorkspace(person, template)
    const { key } = await service().givenKey(person, { expiresInDays: 365 })
    const path = `/v1/workspaces/${workspace.id}/workspace`
    return { person, workspace, path, api: service().api(key) }
  }

  async function givenCreator(workspaceLimit = 10) {
    const person = await service().givenPerson({ workspaceLimit })
    const { key } = await service().givenKey(person, { expiresInDays: 365 })
    return { person, api: service().api(key) }
  }

  return { givenOwner, givenCreator }
}

export const workspaceBody = (subDomain = unique('shop')) => ({
  name: 'A shop',
  subDomain,
  templateKey: 'minimal',
})

export const unavailable = (subDomain: string) => ({
  status: 400,
  code: 'subdomain_unavailable',
  message: `The subdomain ${subDomain} is not available.`,
  fieldErrors: { subDomain: `The subdomain ${subDomain} is not available.` },
})
