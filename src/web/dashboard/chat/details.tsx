import { useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../../language.ts'
import { shopAddressOf, useWorkspace } from '../../session.ts'
import { detailsOf, type Shown } from '../../shop/drawing.ts'

type DetailsProps = Pick<Shown, 'answer' | 'productId'>

/** Steps, sources and products of an answer, drawn by the same code as on the shop's own pages. */
export function Details({ answer, productId }: DetailsProps) {
  const shop = shopAddressOf(useWorkspace())
  const sources = texts('chat')('sources')
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = { answer, productId, shop: shop ?? '', hasPictures: true, words: { sources } }
    element.current?.replaceChildren(...detailsOf(shown))
    for (const link of element.current?.querySelectorAll('a') ?? []) {
      // Leaving the page would end the trial. Without an address, the shop has no page to lead to.
      if (shop === undefined) link.removeAttribute('href')
      else link.target = '_blank'
    }
  }, [answer, productId, shop, sources])
  return <div class="answer-details" ref={element} />
}
