import type { components } from '../../generated/types.ts'
import type { Drawable } from '../jsx_runtime.ts'

type KeptAnswer = components['schemas']['KeptAnswer']

/** Questions with the answers that the owner had made for everyone, and what they rest on. */
export function Kept({ answers }: { answers: KeptAnswer[] }): Drawable {
  return (
    <div class="kept">
      {answers.map(({ question, answer, citations }) => (
        <details>
          <summary>{question}</summary>
          <p>{answer}</p>
          {citations.length > 0 && (
            <ul class="soft small">
              {citations.map(({ sentence }) => (
                <li>
                  <q>{sentence}</q>
                </li>
              ))}
            </ul>
          )}
        </details>
      ))}
    </div>
  )
}
