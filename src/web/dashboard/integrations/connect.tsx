import { CopyButton } from '../../kit/shell/copy.tsx'
import { texts } from '../../language.ts'
import { apiOrigin } from '../../session.ts'

/** How each agent is told the address; product names and commands are the same in every language. */
function waysFor(url: string) {
  const server = { mcpServers: { vitrine: { url } } }
  return [
    { name: 'Claude Code', code: `claude mcp add --transport http vitrine ${url}` },
    { name: 'Cursor', code: JSON.stringify(server, null, 2), file: '.cursor/mcp.json' },
    {
      name: 'VS Code',
      code: JSON.stringify({ servers: { vitrine: { type: 'http', url } } }, null, 2),
      file: '.vscode/mcp.json',
    },
    { name: 'Codex', code: `codex mcp add vitrine --url ${url}` },
  ]
}

/** The address for agents and what to do with it, whether or not one is connected. */
export function ConnectAgent() {
  const t = texts('integrations')
  const url = `${apiOrigin()}/mcp`
  return (
    <section class="card" aria-labelledby="connect">
      <div>
        <h2 id="connect">{t('connect')}</h2>
        <p class="hint">{t('connectHint')}</p>
      </div>
      <div class="row">
        <code class="break">{url}</code>
        <CopyButton text={url} label={t('copyAddress')} />
      </div>
      <details>
        <summary>Claude, ChatGPT</summary>
        <p class="muted">{t('connectHosted')}</p>
      </details>
      {waysFor(url).map(({ name, code, file }) => (
        <details key={name}>
          <summary>{name}</summary>
          <div class="stack">
            {file ? <p class="muted">{t('connectFile', { file })}</p> : null}
            <pre tabIndex={0} aria-label={name}>
              {code}
            </pre>
            <div>
              <CopyButton text={code} />
            </div>
          </div>
        </details>
      ))}
      <p>
        <a href={`${apiOrigin()}/docs`}>{texts('home')('docsLink')}</a>
      </p>
    </section>
  )
}
