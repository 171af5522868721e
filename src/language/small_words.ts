import { type Language, languages } from '../texts/languages.ts'
import { packOf } from './packs.ts'
import { wordsOf } from './words.ts'

/** What tells a language, ready to be looked up. */
interface Signs {
  language: Language
  words: ReadonlySet<string>
  isSmall: (word: string) => boolean
  letters: RegExp | undefined
  endings: RegExp
}

const allSigns = languages.map((language): Signs => {
  const { words, isSmall = () => false, letters, endings } = packOf[language].smallWords
  return { language, words: new Set(wordsOf(words)), isSmall, letters, endings }
})
const signsIn = Object.fromEntries(allSigns.map((signs) => [signs.language, signs])) as Record<
  Language,
  Signs
>

/** Whether a word carries no topic in a text of this language, or in any if it is not known. */
export function isFiller(word: string, language: Language | undefined): boolean {
  if (language === undefined) return allSigns.some(({ words }) => words.has(word))
  const { words, isSmall } = signsIn[language]
  return words.has(word) || isSmall(word)
}

/** Words and letters of languages without a pack that share letters with ours. */
const foreignWords = 'der das ist und für mit eine nicht les est une pour avec dans'
  .split(' ')
  .filter((word) => wordsOf(word).every((folded) => !isFiller(folded, undefined)))
const foreignLetters = [...'äßéèêàœæøåñ'].filter((letter) =>
  allSigns.every(({ letters }) => !letters || letter.search(letters) < 0),
)
const foreign = new RegExp(`\\b(?:${foreignWords.join('|')})\\b|[${foreignLetters.join('')}]`, 'i')

/** Best guess of a text's language, by letters, stop words and endings. */
export function languageOf(text: string): Language | undefined {
  const words = wordsOf(text)
  const isForeign = foreign.test(text)
  const signsOf = ({ words: small, letters, endings }: Signs) => {
    const marks = isForeign ? 0 : countOf(text, letters) + countOf(text, endings)
    return words.filter((word) => small.has(word)).length + marks
  }
  const ranked = allSigns
    .map((signs) => ({ language: signs.language, signs: signsOf(signs) }))
    .sort((a, b) => b.signs - a.signs)
  return ranked[0]?.signs === ranked[1]?.signs ? undefined : ranked[0]?.language
}

function countOf(text: string, pattern: RegExp | undefined): number {
  return pattern ? (text.match(pattern)?.length ?? 0) : 0
}
