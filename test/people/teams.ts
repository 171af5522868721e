import { expect } from 'vitest'
import type { Person, TestService } from '../kit/service.ts'

type Role = 'owner' | 'staff' | 'billing'

export const limitReached = {
  status: 400,
  code: 'workspace_limit_reached',
  message: 'This account may own 1 workspace.',
}

/** Teams of the running service, with helpers for invitations. */
export function teamsOf(service: () => TestService) {
  async function givenTeam() {
    const owner = await service().givenPerson()
    const workspace = await service().givenWorkspace(owner)
    const path = `/api/workspaces/${workspace.id}/members`
    const session = service().dashboard(owner)
    const members = async () => (await session.get(path)).body.members as Record<string, string>[]
    return {
      owner,
      workspace,
      path,
      session,
      members,
      ownId: (await members())[0]!.id!,
      invite: (email: string, role: Role = 'staff') => session.post(path).send({ email, role }),
      change: (id: string, body: object) => session.put(`${path}/${id}`).send(body),
      remove: (id: string) => session.delete(`${path}/${id}`),
    }
  }
  type Team = Awaited<ReturnType<typeof givenTeam>>

  const answer = (person: Person, id: string, verb: 'accept' | 'decline' = 'accept') =>
    service().dashboard(person).post(`/api/invitations/${id}/${verb}`)
  const invitationsOf = async (person: Person) =>
    (await service().dashboard(person).get('/api/invitations')).body.invitations

  /** Invites a person and accepts for them. */
  async function join(team: Team, person: Person, role: Role): Promise<string> {
    const { id } = (await team.invite(person.email, role)).body
    expect((await answer(person, id)).status).toBe(200)
    return id
  }

  return { givenTeam, answer, invitationsOf, join }
}
