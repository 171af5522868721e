// npm run fonts: makes the small fonts of src/web/fonts from their packages.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import subsetFont from 'subset-font'

const root = join(import.meta.dirname, '..', '..')
const target = join(root, 'src', 'web', 'fonts')

/** The lightest and the heaviest weight that our stylesheets name. */
const weights = { min: 400, max: 750 }

/**
 * A page in Turkish would load the whole of a font's Latin letters for these few. They are a file of
 * their own; the packages' files have the letters of other languages, and only those load them.
 */
const parts = {
  basic: {
    source: 'latin',
    text: [...between(0x20, 0x7e), ...between(0xa0, 0xff), ...'ıŒœ–—‘’‚“”„†•…‰‹›€™←↑→↓−'],
  },
  turkish: { source: 'latin-ext', text: [...'ĞğİŞş₺'] },
}

for (const font of ['inter', 'playfair-display', 'work-sans']) {
  const folder = join(root, 'node_modules', '@fontsource-variable', font)
  for (const [part, { source, text }] of Object.entries(parts)) {
    const whole = readFileSync(join(folder, 'files', `${font}-${source}-wght-normal.woff2`))
    const small = await subsetFont(whole, text.join(''), {
      targetFormat: 'woff2',
      variationAxes: { wght: weights },
    })
    writeFileSync(join(target, `${font}-${part}.woff2`), small)
    console.log(`${font}-${part}: ${whole.length} to ${small.length} bytes`)
  }
  copyFileSync(join(folder, 'LICENSE'), join(target, `${font}.LICENSE`))
}

function between(first, last) {
  return Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n))
}
