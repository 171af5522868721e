const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}

/** The colours of the pages; mail programs know neither stylesheets nor variables. */
const styles = {
  body: 'margin:0;padding:24px;background:#f7f6f4;color:#1d1b18;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif',
  card: 'max-width:32rem;margin:0 auto;padding:24px;border:1px solid #e3dfd9;border-radius:14px;background:#ffffff',
  brand: 'margin:0 0 16px;color:#1f5f4a;font-weight:700',
  paragraph: 'margin:0 0 12px;white-space:pre-line;overflow-wrap:anywhere',
  code: 'margin:0 0 12px;font-size:28px;font-weight:650;letter-spacing:4px',
}

/**
 * The same words as the plain part, as the pages look. Nothing is made a link: strangers' words
 * stand in some mails, and addresses of ours are linked by mail programs.
 */
export function mailHtml(text: string): string {
  const paragraphs = text.split('\n\n').map((paragraph) => {
    const isCode = /^ {4}\d+$/.test(paragraph)
    return `<p style='${isCode ? styles.code : styles.paragraph}'>${escaped(paragraph.trim())}</p>`
  })
  return [
    '<!doctype html><html><head><meta charset="utf-8"></head>',
    `<body style='${styles.body}'><div style='${styles.card}'>`,
    `<p style='${styles.brand}'>Vitrine</p>`,
    ...paragraphs,
    '</div></body></html>',
  ].join('\n')
}
