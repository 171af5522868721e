import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/* The WordNets of both languages, as the package nlptoolkit-wordnet has them. */

export interface Synset {
  /** Words and phrases, each with the number of the sense in which it has this meaning. */
  literals: { text: string; sense: number }[]
  definition: string
  examples: string[]
  /** The synsets of the other language with the same meaning. */
  links: string[]
}

export function readWordNets(folder: string): { en: Map<string, Synset>; tr: Map<string, Synset> } {
  const read = (file: string) => synsetsIn(readFileSync(join(folder, file), 'utf8'))
  return { en: read('english_wordnet_version_31.xml'), tr: read('turkish_wordnet.xml') }
}

function synsetsIn(xml: string): Map<string, Synset> {
  const synsets = new Map<string, Synset>()
  for (const [, body = ''] of xml.matchAll(/<SYNSET>(.*?)<\/SYNSET>/gs)) {
    const [id = ''] = textsIn(body, 'ID')
    const literals = [...body.matchAll(/<LITERAL>([^<]*)<SENSE>(\d+)<\/SENSE>/g)]
    synsets.set(id, {
      literals: literals.map(([, text = '', sense]) => ({
        text: plain(text).replaceAll('_', ' '),
        sense: Number(sense),
      })),
      definition: (textsIn(body, 'DEF')[0] ?? '').replace(/^\([^)]*\)\s*/, '').slice(0, 160),
      examples: textsIn(body, 'EXAMPLE').flatMap((text) => text.split('|')),
      links: [...body.matchAll(/<ILR>([^<]*)<TYPE>/g)].map(([, link = '']) => link),
    })
  }
  return synsets
}

function textsIn(body: string, tag: string): string[] {
  const found = body.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))
  return [...found].map(([, text = '']) => plain(text))
}

function plain(text: string): string {
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .trim()
}
