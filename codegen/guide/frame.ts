import { escaped } from './markdown.ts'
import type { Chapter, Page } from './page.ts'

/** A page around its content: the contents of the guide, and the search. */
export function frame(page: Page, html: string, chapters: readonly Chapter[]): string {
  const { name, title, group } = page
  const pages = chapters.flatMap((chapter) => chapter.pages)
  const lists = chapters.map((chapter) =>
    listOf(
      chapter.title,
      chapter.pages.filter((each) => each.group === undefined),
      name,
    ),
  )
  // There are too many operations and codes to list them all on every page.
  if (group !== undefined) {
    const siblings = pages.filter((each) => each.group === group)
    lists.push(listOf(group, siblings, name))
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${escaped(title)} · Vitrine</title>
<link rel="stylesheet" href="/docs/page.css" />
<link rel="alternate" type="text/markdown" href="/docs/${name}.md" />
<script src="/docs/page.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/docs/">Vitrine</a>
<form role="search">
<label for="search">Search the guide</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" />
<div id="found" role="status" hidden></div>
</form>
</header>
<nav aria-label="Contents">
<details open><summary>Contents</summary>
${lists.join('\n')}
</details>
</nav>
<main id="content">
${html}
<p class="source"><a href="/docs/${name}.md">This page as Markdown</a></p>
</main>
</body>
</html>
`
}

function listOf(title: string, pages: readonly Page[], current: string): string {
  const links = pages.map(({ name, title: label }) => {
    const mark = name === current ? ' aria-current="page"' : ''
    return `<li><a href="/docs/${name}"${mark}>${escaped(label)}</a></li>`
  })
  return `<h2>${escaped(title)}</h2>\n<ul>\n${links.join('\n')}\n</ul>`
}
