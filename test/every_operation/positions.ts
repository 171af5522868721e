import type { OperationId } from '../../src/operation.ts'
import type { Person, TestService } from '../kit/service.ts'
import { givenMember, givenScene, memberOf, type Scene, validCall } from './fixtures.ts'
import { type Call, inWorkspace, rows } from './operations.ts'

/** A person's relation to a workspace. */
export type Position =
  | 'another owner'
  | 'a stranger'
  | 'an owner who is suspended'
  | 'an invited owner'
  | 'a member of staff'
  | 'a billing member'

/** A person, with a credential for each door. */
export interface Access {
  person: Person
  key: string
  token: string
}

/** One person per position, besides the owner who created the workspace. */
export async function peopleAround(service: TestService): Promise<Record<Position, Access>> {
  const newPerson = async (): Promise<Access> => {
    const person = await service.givenPerson()
    const { key } = await service.givenKey(person)
    return { person, key, token: (await service.givenAgent(person)).token }
  }
  return {
    'another owner': await newPerson(),
    'a stranger': await newPerson(),
    'an owner who is suspended': await newPerson(),
    'an invited owner': await newPerson(),
    'a member of staff': await newPerson(),
    'a billing member': await newPerson(),
  }
}

/** Each position but the stranger's, as a membership. */
const memberships = [
  { position: 'another owner', role: 'owner', status: 'ACTIVE' },
  { position: 'an owner who is suspended', role: 'owner', status: 'SUSPENDED' },
  { position: 'an invited owner', role: 'owner', status: 'INVITED' },
  { position: 'a member of staff', role: 'staff', status: 'ACTIVE' },
  { position: 'a billing member', role: 'billing', status: 'ACTIVE' },
] as const

/** Everyone takes their position in a workspace. */
async function takePositions(
  { service, workspace }: Scene,
  people: Record<Position, Access>,
): Promise<void> {
  const members = memberships.map(({ position, role, status }) =>
    memberOf(workspace, people[position].person, role, status),
  )
  await service.db.insertInto('members').values(members).execute()
}

export type Scenes = ReturnType<typeof openScenes>

/** Scenes for operations, with everyone in their position and the holder as another owner. */
export function openScenes(service: TestService, people: Record<Position, Access>, holder: Scene) {
  const scenes = new Map<string, Promise<Scene>>()
  const reads = new Map<OperationId, Promise<Call>>()
  const sceneWithMembers = async () => {
    const scene = await givenScene(service)
    await takePositions(scene, people)
    await givenMember(scene, holder.owner, 'owner')
    return scene
  }
  const shared = (name: string): Promise<Scene> => {
    const scene = scenes.get(name) ?? sceneWithMembers()
    scenes.set(name, scene)
    return scene
  }
  const isShared = (id: OperationId) => inWorkspace(id) && rows[id].method === 'get'
  return {
    shared,
    /** The scene of all ways to an operation within a workspace. Those that read share one. */
    of: (id: OperationId): Promise<Scene> =>
      inWorkspace(id) ? shared(isShared(id) ? 'reads' : id) : givenScene(service),
    /** A valid call: a new one, which may be valid only once, but of a shared read the same. */
    callIn: (scene: Scene, id: OperationId): Promise<Call> => {
      if (!isShared(id)) return validCall(id, scene)
      const call = reads.get(id) ?? validCall(id, scene)
      reads.set(id, call)
      return call
    },
  }
}
