import type { GuideSection } from './markdown.ts'
import type { Page } from './page.ts'

/**
 * What the search looks through: for each heading of each page its address, the titles, and the words below
 * it, each once. Loaded whole at the first letter, so it must stay small.
 */
export function searchIndex(
  drawn: readonly { page: Page; sections: readonly GuideSection[] }[],
): string {
  const entries = drawn.flatMap(({ page, sections }) =>
    sections
      .filter(({ heading }) => !isOnEveryPage(page, heading))
      .map(({ id, heading, text }, index) => [
        index === 0 ? page.name : `${page.name}#${id}`,
        page.title,
        heading,
        wordsIn(page, text),
      ]),
  )
  return JSON.stringify(entries)
}

/** Of operations and codes the title is enough, and what stands right below it. */
const isOnEveryPage = ({ group, title }: Page, heading: string) =>
  group !== undefined && heading !== title

function wordsIn({ name }: Page, text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_-]{3,}/gu) ?? []
  const id = name.split('/').slice(1)
  return [...new Set([...id, ...words])].join(' ')
}
