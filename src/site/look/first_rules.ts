/** What a page shows first. Lists are not here: beside two dozen cards, rules would take too many bytes. */
export type Top = 'home' | 'product'

const words = (text: string) => text.split(' ')

/** Elements and classes that every page begins with on a phone. */
const shell = words('html body main img a ul li span svg skip wide top shop nav find seek me')
const shown: Record<Top, Set<string>> = {
  home: new Set([
    ...shell,
    ...words(
      'h1 h2 p hidden soft hero pictured words shots acts button main section bar text story',
    ),
    ...words('grid edge first card picture none name brand badge count collections'),
  ]),
  product: new Set([...shell, ...words('crumbs product gallery')]),
}

/**
 * The rules of a stylesheet that draw what a page shows first on a phone, where the stylesheet is a slow
 * round trip away. They stand in the page itself, which is painted meanwhile.
 */
export function firstRules(stylesheet: string, top: Top): string {
  let rules = ''
  for (const [head, body] of blocksOf(stylesheet))
    if (isOfAllPhones(head)) rules += firstRules(body, top)
    else if (head.startsWith('@media(max-width')) rules += `${head}{${firstRules(body, top)}}`
    else if (!head.startsWith('@')) {
      const selectors = head.split(/,(?![^(]*\))/).filter((each) => isShown(each, shown[top]))
      if (selectors.length > 0) rules += `${selectors.join()}{${body}}`
    }
  return rules
}

/** Whether rules hold on every screen that the page has its first rules for. */
function isOfAllPhones(head: string): boolean {
  const [, width] = /^@media\(max-width:(\d+)px\)$/.exec(head) ?? []
  return Number(width) >= 719
}

/** What a visitor does comes later, no link leads to the page itself, and a phone has its search on another page. */
const later = /:hover|:focus|:not|:highlight|:file|\[aria-current|^\.find/

function isShown(selector: string, names: Set<string>): boolean {
  if (later.test(selector)) return false
  const bare = selector.replace(/::?[a-z-]+(\([^)]*\))?|\[[^\]]*\]/g, '')
  return (bare.match(/[a-z][\w-]*/g) ?? []).every((name) => names.has(name))
}

/** What stands before each pair of outer braces, and between them. */
function* blocksOf(css: string): Generator<[head: string, body: string]> {
  let [depth, start, open] = [0, 0, 0]
  for (let at = 0; at < css.length; at++)
    if (css[at] === '{' && depth++ === 0) open = at
    else if (css[at] === '}' && --depth === 0) {
      yield [css.slice(start, open), css.slice(open + 1, at)]
      start = at + 1
    }
}
