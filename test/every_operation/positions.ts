import type { Person, TestService } from '../kit/service.ts'
import { givenMember, type Scene } from './fixtures.ts'

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

export async function takePosition(
  scene: Scene,
  person: Person,
  position: Position,
): Promise<void> {
  if (position === 'another owner') await givenMember(scene, person, 'owner')
  if (position === 'an owner who is suspended')
    await givenMember(scene, person, 'owner', 'SUSPENDED')
  if (position === 'an invited owner') await givenMember(scene, person, 'owner', 'INVITED')
  if (position === 'a member of staff') await givenMember(scene, person, 'staff')
  if (position === 'a billing member') await givenMember(scene, person, 'billing')
}
