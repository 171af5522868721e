import { Link } from 'wouter-preact'

/** A visitor's question, and the product it is about. */
export function AskedText({ text, name, href }: { text: string; name: string; href: string }) {
  return (
    <div class="break">
      {text}
      <small class="of-product">
        <Link class="clamp" href={href}>
          {name}
        </Link>
      </small>
    </div>
  )
}
