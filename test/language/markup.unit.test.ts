import { expect, test } from 'vitest'
import { withoutMarkup } from '../../src/language/markup.ts'

test.each([
  ['Plain text stays.\nSo does a < b & c.', 'Plain text stays.\nSo does a < b & c.'],
  ['<p>One.</p><p>Two.</p>', '\nOne.\n\nTwo.\n'],
  ['One.<br/>Two.<BR>Three.', 'One.\nTwo.\nThree.'],
  ['A <b>bold</b> <a href="https://x.example">word</a>.', 'A bold word.'],
  ['Sack.&nbsp;The footprint &amp; pegs&#39; bag.', "Sack. The footprint & pegs' bag."],
  ['<script>alert(1)</script>Text<!-- not this -->', ' Text '],
  ['a<!-- b -->c<!-- <b>d</b>', 'a c<!-- d'],
  ['a<script <!-- b --> c', 'a<script   c'],
  ['a<STYLE x>b</script></Style >c</style>d', 'a d'],
  ['&unknown; &#0; <3 hearts', '&unknown;   <3 hearts'],
])('%j is read as %j', (text, plain) => {
  expect(withoutMarkup(text)).toBe(plain)
})

test('a text made of tags is read in linear time', () => {
  expect(withoutMarkup('<p '.repeat(30_000)).length).toBeGreaterThan(0)
})

test.each(['<!--', '<script>', '<style>a</script>', '<script><!--'])(
  '"%s" again and again, without an end, is read in linear time',
  (beginning) => {
    expect(withoutMarkup(`${beginning.repeat(60_000)} end`)).toContain('end')
  },
)
