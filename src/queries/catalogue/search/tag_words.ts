import type { Kysely } from 'kysely'
import { isFormOrBeginning, type SearchWord } from '../../../language/search_terms.ts'
import { alternativesOf, type SynonymGroups, synonymGroupsOf } from '../../../language/synonyms.ts'
import { wordsOf } from '../../../language/words.ts'
import { identityOf } from '../../../db/own_connection.ts'
import type { Database } from '../../../db/schema.ts'
import { listTagNames } from './catalogue_search.ts'
import { getSynonyms } from './synonyms.ts'

/** The ids of the tags with a word. */
type TagsByWord = Map<string, string[]>

interface TagName {
  id: string
  name: string
}

interface TagWords {
  names: readonly TagName[]
  byWord: TagsByWord
  /** The words by their first two letters, which all forms of a word share. */
  byLetters: Map<string, string[]>
  synonyms: SynonymGroups
}

interface RememberedTags {
  changes: number
  tags: Promise<TagWords>
}

const maxTags = 1_000
const maxWorkspaces = 200
const maxFound = 50
/** How many words with the same beginning are compared with a word; no real shop has more. */
const maxCompared = 2_000
const memories = new WeakMap<object, Map<string, RememberedTags>>()

/** What a word of a search also stands for in a shop. */
export interface ShopMeaning {
  /** The ids of the tags with this name. */
  tags: string[]
  /** The shop's synonyms for it, each as a list of words. */
  synonyms: readonly (readonly string[])[]
}

export async function meaningsInShop(
  db: Kysely<Database>,
  workspaceId: string,
  changes: number,
  words: readonly SearchWord[],
): Promise<ShopMeaning[]> {
  const tags = await rememberedTags(db, workspaceId, changes)
  const synonyms = alternativesOf(
    words.map(({ word }) => word),
    tags.synonyms,
  )
  return words.map((word, index) => {
    const alike = tags.byLetters.get(lettersOf(word.word))?.slice(0, maxCompared) ?? []
    const named = alike.filter((name) => isFormOrBeginning(word, name))
    const ids = new Set(named.flatMap((name) => tags.byWord.get(name) ?? []))
    return { tags: [...ids].slice(0, maxFound), synonyms: synonyms[index]! }
  })
}

/** The tags of a shop: the same list until its catalogue changes. */
export async function tagNamesInShop(
  db: Kysely<Database>,
  workspaceId: string,
  changes: number,
): Promise<readonly TagName[]> {
  const { names } = await rememberedTags(db, workspaceId, changes)
  return names
}

/** The words of their names. */
export async function tagWordsInShop(
  db: Kysely<Database>,
  workspaceId: string,
  changes: number,
): Promise<ReadonlyMap<string, unknown>> {
  const { byWord } = await rememberedTags(db, workspaceId, changes)
  return byWord
}

const lettersOf = (word: string) => word.slice(0, 2)

function indexed(names: readonly TagName[], synonyms: SynonymGroups): TagWords {
  const tags: TagWords = { names, byWord: new Map(), byLetters: new Map(), synonyms }
  for (const { id, name } of names)
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

async function readWords(db: Kysely<Database>, workspaceId: string): Promise<TagWords> {
  const names = await listTagNames(db, workspaceId, maxTags)
  const { groups } = await getSynonyms(db, workspaceId)
  return indexed(names, synonymGroupsOf(groups))
}

/** The tags and synonyms of a workspace, remembered until its catalogue changes. */
function rememberedTags(
  db: Kysely<Database>,
  workspaceId: string,
  changes: number,
): Promise<TagWords> {
  const identity = identityOf(db)
  const memory = memories.get(identity) ?? new Map<string, RememberedTags>()
  memories.set(identity, memory)
  const known = memory.get(workspaceId)
  memory.delete(workspaceId)
  if (known?.changes === changes) {
    memory.set(workspaceId, known)
    return known.tags
  }
  const tags = readWords(db, workspaceId)
  const fresh = { changes, tags }
  memory.set(workspaceId, fresh)
  tags.catch(() => memory.get(workspaceId) === fresh && memory.delete(workspaceId))
  if (memory.size > maxWorkspaces) memory.delete(memory.keys().next().value!)
  return tags
}
