import { html } from 'hono/html'
import type { Html } from '../../api/frame/html/html.ts'
import { sentence, table } from '../../api/frame/html/parts.ts'
import { visiblePath } from '../../api/frame/html/visible.ts'
import type { ReadMap } from '../../features/impact/read-map.ts'
import { counted } from '../../lib/text/counted.ts'
import { yamlScalar } from '../../site/text/yaml-scalar.ts'

const saidWords = {
  documents: 'Documents it',
  never: 'Never touched by it',
  leaveOut: 'Left out',
} as const

/** What is learned from history, and how to correct it. */
export function mapView({ pairs, commits, hasFile, mapProblem }: ReadMap): Html {
  const [first] = pairs.filter(({ said }) => said === undefined)
  return html`<p class="muted">
      Pages that changed in the same commits as code of a folder, in ${counted(commits, 'commit')} of this
      repository. Impact ranks by this, beside names and paths.
      ${mapProblem === undefined ? '' : html`<code>.docwright/map.yml</code> is not used: ${sentence(mapProblem)}`}
    </p>
    ${
      pairs.length === 0
        ? html`<p class="empty">
            <span
              >No page changed with code more than once. To say which pages document which code, add
              <code>.docwright/map.yml</code>.</span
            >
          </p>`
        : table(
            'Code and pages',
            ['Page', 'Code', 'Commits', 'map.yml'],
            pairs.map(
              ({ code, page, together, of, said }) =>
                html`<tr>
                  <td class="path">${visiblePath(page)}</td>
                  <td class="path">${visiblePath(code)}</td>
                  <td>${together} of ${of}</td>
                  <td>${said === undefined ? '' : saidWords[said]}</td>
                </tr>`,
            ),
          )
    }
    ${
      first === undefined
        ? ''
        : html`<section>
            <h2>Correct it</h2>
            <p>
              ${hasFile ? 'Change' : 'Add'} <code>.docwright/map.yml</code> in the repository. For the first
              row, say one of these:
            </p>
            <pre><code>documents:
  - code: ${yamlScalar(first.code)}
    pages: [${yamlScalar(first.page)}]
never:
  - code: ${yamlScalar(first.code)}
    pages: [${yamlScalar(first.page)}]</code></pre>
          </section>`
    }`
}
