import { html } from 'hono/html'
import { readReview } from '../../lib/prompts/review-prompt.ts'
import type { Html } from '../../api/frame/html/html.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../api/render/markdown/render-markdown.ts'
import { placeText } from './comment-view.ts'

/** A prompt as its job shows it: a review by its comments, anything else as it was written. */
export function promptView(read: ReadMarkdown, projectId: string, prompt: string): Html {
  const review = readReview(prompt)
  if (review === undefined) return html`<blockquote class="prompt">${prompt}</blockquote>`
  const { remarks, remark } = review
  return html`<div class="prompt sent-review">
    ${remark === undefined ? '' : html`<div class="prose">${renderMarkdown(read, projectId, remark)}</div>`}
    <ul class="plain">
      ${remarks.map(
        (one) =>
          html`<li>
            <p class="remark-place">${placeText(one)}</p>
            <pre class="remark-quote" tabindex="0" aria-label="The lines"><code>${one.quote}</code></pre>
            <div class="prose">${renderMarkdown(read, projectId, one.body)}</div>
          </li>`,
      )}
    </ul>
  </div>`
}
