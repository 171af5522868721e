import type { Attack } from './attack.ts'
import { idleConnections, pipelining, unreadAnswers } from './connections.ts'
import { exhaustedKeyFlood, probeFlood } from './floods.ts'
import { imports } from './imports.ts'
import { manyKeys } from './keys.ts'
import { batchedLists, lists } from './lists.ts'
import { receivers } from './receivers.ts'
import { lockOut, lockOutByMany, queuedMails } from './sign_in.ts'
import { hangingStore } from './store.ts'
import { mailedStrangers } from './strangers.ts'
import { heldUploads, pictures } from './uploads.ts'
import { picturesOfMany } from './uploads_of_many.ts'

/** The rows of the table. Add a file with an Attack, and a line here. */
export const attacks: Attack[] = [
  lists,
  batchedLists,
  unreadAnswers,
  idleConnections,
  pipelining,
  probeFlood,
  exhaustedKeyFlood,
  heldUploads,
  pictures,
  picturesOfMany,
  imports,
  receivers,
  hangingStore,
  queuedMails,
  lockOut,
  lockOutByMany,
  mailedStrangers,
  // Last: it uses up what the account may call in a minute, which processes share.
  manyKeys,
]
