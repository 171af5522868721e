import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import type { OpenApiDocument } from '../document.ts'
import { changelogPage } from './changelog.ts'
import { errorPages } from './errors.ts'
import { frame } from './frame.ts'
import { type Links, render } from './markdown.ts'
import type { Chapter, Page } from './page.ts'
import { referencePages } from './reference.ts'
import { searchIndex } from './search_index.ts'

/*
 * The guide as a static site: pages that people wrote in Markdown, and pages that follow from the public
 * document. Each is there as HTML and as Markdown.
 */

/** The texts that the guide is made of, by the name of their file. */
export type GuideSources = Readonly<Record<string, string>>

/** What is written by hand, in the order of the contents: file and title. */
const written = {
  'First steps': {
    'quick_start.md': 'Quick start',
    'authentication.md': 'Authentication',
    'paging.md': 'Paging',
    'retries.md': 'Retries and idempotency',
    'uploads.md': 'Uploads',
  },
  'Your site': {
    'browser_shop.md': 'A shop in one file',
    'visitors.md': 'Visitors and sign-in',
    'chats.md': 'Chats and streaming',
    'credits.md': 'Credits',
  },
  'Other systems': {
    'many_products.md': 'Bulk',
    'webhooks.md': 'Sync and webhooks',
    'agents.md': 'Agents',
  },
  Rules: {
    'limits.md': 'Limits',
    'retention.md': 'What is kept',
    'compatibility.md': 'Versions',
  },
  Operation: { 'deployment.md': 'Several machines', 'sizes.md': 'What to run' },
} as const

const firstPage = 'quick_start'

/** Reads the guides and the changelog of this project, and what its pages load. */
export function readSources(): GuideSources {
  const root = join(import.meta.dirname, '..', '..')
  const folder = join(root, '.github', 'guides')
  const guides = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  const look = readFileSync(join(root, 'src', 'web', 'guide', 'page.css'), 'utf8')
  const script = readFileSync(join(root, 'src', 'web', 'guide', 'page.ts'), 'utf8')
  const others = {
    'page.css': transformSync(look, { loader: 'css', minify: true, target: 'es2022' }).code,
    'page.js': transformSync(script, { loader: 'ts', minify: true, format: 'iife' }).code,
    'CHANGELOG.md': readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  }
  return { ...(Object.fromEntries(guides) as GuideSources), ...others }
}

/** The pages in the order of the contents. */
export function guideChapters(publicDocument: string, sources: GuideSources): Chapter[] {
  const document = JSON.parse(publicDocument) as OpenApiDocument
  const generated: Readonly<Record<string, readonly Page[]>> = {
    Rules: [
      ...errorPages(document, onSite(sources['errors.md'] ?? '# Errors')),
      changelogPage(onSite(sources['CHANGELOG.md'] ?? '')),
    ],
  }
  const chapters = Object.entries(written).map(([title, files]): Chapter => {
    const own = Object.entries(files).map(([file, name]): Page => {
      const markdown = onSite(sources[file] ?? `# ${name}\n`)
      return { name: file.replace(/\.md$/, ''), title: name, markdown }
    })
    return { title, pages: [...own, ...(generated[title] ?? [])] }
  })
  return [...chapters, { title: 'Reference', pages: referencePages(document) }]
}

/** All files of the site as JSON, by their path below /docs/. Addresses of the service are left open. */
export function emitGuide(chapters: readonly Chapter[], sources: GuideSources): string {
  const pages = chapters.flatMap((chapter) => chapter.pages)
  const names = new Set(pages.map(({ name }) => name))
  const linkOf = linksAmong(names)
  const drawn = pages.map((page) => {
    const links = { linkOf, pageOf: pagesOf(names, page.name) }
    return { page, ...render(page.markdown, links) }
  })
  const files: Record<string, string> = {
    'page.css': sources['page.css'] ?? '',
    'page.js': sources['page.js'] ?? '',
    'search.json': searchIndex(drawn),
  }
  for (const { page, html } of drawn) {
    files[page.name] = frame(page, html, chapters)
    files[`${page.name}.md`] = page.markdown
  }
  files[''] = files[firstPage] ?? ''
  return `${JSON.stringify(files)}\n`
}

/** A guide as the site shows it: with the service's own addresses, and without links into the project. */
function onSite(markdown: string): string {
  return markdown
    .replaceAll(/<(http:\/\/localhost:300[01][^>]*)>/g, '[$1]($1)')
    .replaceAll(/http:\/\/localhost:3000|https:\/\/api\.example(?![.\w])/g, '{baseUrl}')
    .replaceAll('http://localhost:3001', '{dashboardUrl}')
    .replaceAll('](../../CHANGELOG.md', '](changelog.md')
    .replaceAll('](.github/guides/', '](')
    .replaceAll(/\[([^\]]*)\]\(\.\.\/\.\.\/[^)]*\)/g, '$1')
}

/** Links between sources, as links between pages. */
function linksAmong(names: ReadonlySet<string>): Links['linkOf'] {
  return (href) => {
    const [, name = '', anchor = ''] = /^(?:\/docs\/)?([\w/]+)\.md(#.*)?$/.exec(href) ?? []
    if (names.has(name)) return `/docs/${name}${anchor}`
    return /^(https?:|[#/{])/.test(href) ? href : undefined
  }
}

/** What a page names as code, an operation or an error code, has a page of its own. */
function pagesOf(names: ReadonlySet<string>, current: string): Links['pageOf'] {
  return (code) => {
    const name = [`operations/${code}`, `errors/${code}`].find((each) => names.has(each))
    return name === undefined || name === current ? undefined : `/docs/${name}`
  }
}
