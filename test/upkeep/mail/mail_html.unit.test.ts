import { expect, test } from 'vitest'
import { mailHtml } from '../../../src/adapters/mail_html.ts'

test('a mail’s HTML part says what its text says, with the code in large digits', () => {
  const html = mailHtml('Your code to sign in:\n\n    123456\n\nIt works once.')
  expect(
    html
      .replace(/<style.*?<\/style>|<[^>]+>/g, '')
      .trim()
      .split(/\s*\n\s*/),
  ).toEqual(['Vitrine', 'Your code to sign in:', '123456', 'It works once.'])
  expect(html).toMatch(/font-size:28px[^>]*>123456</)
})

test('words of strangers make no markup and no link', () => {
  const html = mailHtml('From <b>Eve</b> "x" & co:\n\nhttps://evil.example')
  expect(html).toContain('From &lt;b&gt;Eve&lt;/b&gt; &quot;x&quot; &amp; co:')
  expect(html).not.toContain('<a')
})
