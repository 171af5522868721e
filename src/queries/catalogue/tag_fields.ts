import { columnsIn, plain, type ReadFields } from '../../db/read_fields.ts'
import { storedFields } from '../../db/stored_fields.ts'
import type { components } from '../../generated/types.ts'

type Schemas = components['schemas']

export const storedTag = storedFields<Schemas['TagWrite']>({ name: 'text' })

const own = columnsIn('tags', 't')

/** The row `t` as a Tag. */
export const tagFields: ReadFields<Schemas['Tag']> = { id: plain(own('id')), name: own('name') }
