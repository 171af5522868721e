import type { Page } from './page.ts'

/** What integrators see of each release: the API parts of the changelog, newest first. */
export function changelogPage(changelog: string): Page {
  const releases = changelog.split(/^## /m).slice(1)
  const parts = releases.flatMap((release) => {
    const [title = '', ...lines] = release.split('\n')
    const [, api] = lines.join('\n').split(/^### API$/m)
    const [own = ''] = (api ?? '').split(/^### /m)
    return own.trim() === '' ? [] : [`## ${title}\n\n${own.trim()}`]
  })
  const intro =
    'What changed for programs that call this service, newest first. What may change at all, and with which notice, is in [Versions](compatibility.md).'
  return {
    name: 'changelog',
    title: 'Changelog',
    markdown: `# Changelog\n\n${intro}\n\n${parts.join('\n\n')}\n`,
  }
}
