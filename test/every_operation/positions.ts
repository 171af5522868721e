import type { Person, TestService } from '../kit/service.ts'
import { memberOf, type Scene } from './fixtures.ts'

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
export async function takePositions(
  { service, workspace }: Scene,
  people: Record<Position, Access>,
): Promise<void> {
  const members = memberships.map(({ position, role, status }) =>
    memberOf(workspace, people[position].person, role, status),
  )
  await service.db.insertInto('members').values(members).execute()
}
