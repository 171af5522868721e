import type { Kysely } from 'kysely'
import { isFormOrBeginning, type SearchWord } from '../../core/search_terms.ts'
import { wordsOf } from '../../core/words.ts'
import { identityOf } from '../../db/own_connection.ts'
import type { Database } from '../../db/schema.ts'
import { listTagNames } from './catalogue_search.ts'

/** The ids of the tags with a word. */
type TagsByWord = Map<string, string[]>

interface TagWords {
  byWord: TagsByWord
  /** The words by their first two letters, which all forms of a word share. */
  byLetters: Map<string, string[]>
}

interface Remembered {
  changes: number
  tags: Promise<TagWords>
}

const maxTags = 1_000
const maxWorkspaces = 200
const maxFound = 50
/** Words that a word is compared with; no shop but one made for it has more that begin alike. */
const maxCompared = 2_000
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
    const alike = tags.byLetters.get(lettersOf(word.word))?.slice(0, maxCompared) ?? []
    const named = [...alike.filter((name) => isFormOrBeginning(word, name)), ...spellings(word)]
    const ids = new Set(named.flatMap((name) => tags.byWord.get(name) ?? []))
    return [...ids].slice(0, maxFound)
  })
}

const lettersOf = (word: string) => word.slice(0, 2)

function indexed(rows: readonly { id: string; name: string }[]): TagWords {
  const tags: TagWords = { byWord: new Map(), byLetters: new Map() }
  for (const { id, name } of rows)
    for (const word of new Set(wordsOf(name))) {
      if (!tags.byWord.has(word)) append(tags.byLetters, lettersOf(word), word)
      append(tags.byWord, word, id)
    }
  return tags
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** The tags of a workspace, remembered until its catalogue changes. */
function rememberedTags(
  db: Kysely<Database>,
  workspaceId: string,
  changes: number,
): Promise<TagWords> {
  const identity = identityOf(db)
  const memory = memories.get(identity) ?? new Map<string, Remembered>()
  memories.set(identity, memory)
  const known = memory.get(workspaceId)
  memory.delete(workspaceId)
  if (known?.changes === changes) {
    memory.set(workspaceId, known)
    return known.tags
  }
  const tags = listTagNames(db, workspaceId, maxTags).then(indexed)
  const fresh = { changes, tags }
  memory.set(workspaceId, fresh)
  tags.catch(() => memory.get(workspaceId) === fresh && memory.delete(workspaceId))
  if (memory.size > maxWorkspaces) memory.delete(memory.keys().next().value!)
  return tags
}
