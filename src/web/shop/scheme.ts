/*
 * Light or dark, as the visitor has chosen in this shop. The page holds it up, so that no visitor sees the wrong colours
 * first: it is as small as can be, and a browser keeps it. Nothing is sent or asked: the page is the same for everyone.
 */
{
  /** In the order of the choices. Paper is always light. */
  const schemes = ['', 'light', 'dark']
  const queries = ['(prefers-color-scheme:dark)', 'not all', 'screen']
  const root = document.documentElement
  const rules = [...(document.querySelector('style')?.sheet?.cssRules ?? [])]
  const night = rules.find(
    (rule) => rule instanceof CSSMediaRule && rule.media.mediaText.includes('color-scheme'),
  ) as CSSMediaRule | undefined
  let chosen = 0

  const follow = (): void => {
    try {
      chosen = Math.max(0, schemes.indexOf(localStorage.getItem('scheme') ?? ''))
    } catch {
      // A browser that refuses its storage keeps the choice for this page.
    }
    root.style.colorScheme = schemes[chosen]!
    if (night) night.media.mediaText = queries[chosen]!
    const choice = document.querySelector<HTMLSelectElement>('.scheme select')
    if (choice) choice.selectedIndex = chosen
  }

  follow()
  // The last two: in another tab, and where the browser goes back to a page as it was.
  for (const moment of ['DOMContentLoaded', 'storage', 'pageshow']) addEventListener(moment, follow)
  addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement && target.matches('.scheme select'))) return
    chosen = target.selectedIndex
    try {
      localStorage.setItem('scheme', schemes[chosen]!)
    } catch {
      // As above.
    }
    follow()
  })
}
