import type { Kysely } from 'kysely'
import { isFormOrBeginning, type SearchWord } from '../../core/search_terms.ts'
import { wordsOf } from '../../core/words.ts'
import { identityOf } from '../../db/own_connection.ts'
import type { Database } from '../../db/schema.ts'
import { listTagNames } from './catalogue_search.ts'

interface TagWords {
  id: string
  words: string[]
}

interface Remembered {
  changes: number
  tags: Promise<TagWords[]>
}

const maxTags = 1_000
const maxWorkspaces = 200
const maxFound = 50
const memories = new WeakMap<object, Map<string, Remembered>>()

/** The ids of the tags that each word, or a spelling of it, names. */
export async function tagsMeaning(
  db: Kysely<Database>,
  workspaceId: string,
  changes: number,
  words: readonly SearchWord[],
  spellings: (word: SearchWord) => string[],
): Promise<string[][]> {
  const tags = await rememberedTags(db, workspaceId, changes)
  return words.map((word) => {
    const others = new Set(spellings(word))
    return tags
      .filter((tag) => tag.words.some((name) => isFormOrBeginning(word, name) || others.has(name)))
      .slice(0, maxFound)
      .map(({ id }) => id)
  })
}

/** The tags of a workspace, remembered until its catalogue changes. */
function rememberedTags(
  db: Kysely<Database>,
  workspaceId: string,
  changes: number,
): Promise<TagWords[]> {
  const identity = identityOf(db)
  const memory = memories.get(identity) ?? new Map<string, Remembered>()
  memories.set(identity, memory)
  const known = memory.get(workspaceId)
  memory.delete(workspaceId)
  if (known?.changes === changes) {
    memory.set(workspaceId, known)
    return known.tags
  }
  const tags = listTagNames(db, workspaceId, maxTags).then((rows) =>
    rows.map(({ id, name }) => ({ id, words: wordsOf(name) })),
  )
  const fresh = { changes, tags }
  memory.set(workspaceId, fresh)
  tags.catch(() => memory.get(workspaceId) === fresh && memory.delete(workspaceId))
  if (memory.size > maxWorkspaces) memory.delete(memory.keys().next().value!)
  return tags
}
