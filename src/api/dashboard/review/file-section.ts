import { html, raw } from 'hono/html'
import { counts } from '../html/diff.ts'
import type { Html } from '../html/html.ts'
import { sha256 } from '../../../lib/ids.ts'
import type { FileBody } from './file-body.ts'
import { problem } from './review-parts.ts'
import { reviewAddress, type ReviewRequest } from './review-request.ts'
import { visiblePath, type FileContext, type Reviewed, type ReviewFile } from './reviewed.ts'

const words = {
  added: 'added',
  modified: '',
  deleted: 'deleted',
  renamed: 'moved',
  type_changed: 'kind changed',
} as const

/** One file of a change. Without a body it is folded, with a link that opens it. */
export function fileSection(
  reviewed: Reviewed,
  request: ReviewRequest,
  context: FileContext,
  body: FileBody | undefined,
): Html {
  const { file, options, more } = context
  const { path, number, additions, deletions } = file
  const isViewed = options.viewed?.has(path) === true
  const version = sha256(`${file.oldOid} ${file.oid} ${file.mode}`).slice(0, 12)
  const isOpen = !isViewed || request.file === path
  return html`<section
    class="review-file"
    id="file-${number}"
    data-path="${path}"
    data-version="${version}"
    ${raw(isViewed ? 'data-viewed' : '')}
    aria-labelledby="file-${number}-name"
  >
    <div class="review-head">
      <h3 id="file-${number}-name" class="path"><bdi>${visiblePath(path)}</bdi></h3>
      ${badges(reviewed, file)} ${additions + deletions === 0 ? '' : counts(additions, deletions)}
      <div class="review-tools">
        ${body?.other === undefined ? '' : otherView(body.other, more)}${options.fileTools?.(path) ?? ''}
      </div>
    </div>
    ${reason(reviewed, file)}${problemsAbove(reviewed, context, body)}
    <details ${raw(isOpen ? 'open' : '')} data-key="review ${path}">
      <summary><span class="hidden">Changes of ${visiblePath(path)}</span></summary>
      <div class="review-content" ${raw(body ? 'data-printed' : '')}>
        ${
          body?.html ??
          html`<p class="review-unopened">
            <a
              data-review="file"
              href="${reviewAddress(reviewed.page, request, { file: path }, `file-${number}`)}"
              >Show the changes</a
            >
          </p>`
        }
      </div>
    </details>
  </section>`
}

function otherView(other: 'rendered' | 'source', more: FileContext['more']): Html {
  return html`<a data-review="file" class="review-as" href="${more({ as: other })}"
    >${other === 'source' ? 'Source' : 'As a page'}</a
  >`
}

function badges({ kept }: Reviewed, { path, oldPath, status, mode, oldMode }: ReviewFile): Html {
  const word = words[status]
  return html`${word === '' || status === 'renamed' ? '' : html`<span class="badge ${status === 'added' ? 'good' : status === 'deleted' ? 'bad' : ''}">${word}</span>`}
  ${oldPath === undefined ? '' : html`<span class="badge">moved</span><span class="muted">from <bdi class="path">${visiblePath(oldPath)}</bdi></span>`}
  ${mode !== undefined && oldMode !== undefined && mode !== oldMode ? html`<span class="badge">${kindOf(oldMode)} → ${kindOf(mode)}</span>` : ''}
  ${kept.has(path) ? html`<span class="badge busy">kept, not published</span>` : ''}`
}

const kinds: Readonly<Record<string, string>> = {
  '100644': 'file',
  '100755': 'executable file',
  '120000': 'symbolic link',
  '160000': 'submodule',
}

function kindOf(mode: string): string {
  return kinds[mode] ?? mode
}

const mostReason = 500

function reason({ reasons }: Reviewed, { path, oldPath }: ReviewFile): Html {
  const page = reasons.get(path) ?? (oldPath === undefined ? undefined : reasons.get(oldPath))
  if (!page) return html``
  return html`<p class="review-why">
    <strong>Why:</strong> ${visiblePath(page.reason.slice(0, mostReason))}${
      page.sources.length === 0
        ? ''
        : html` <span class="muted">Source${page.sources.length === 1 ? '' : 's'}:</span>
            ${page.sources.map((source, index) => html`${index === 0 ? '' : ', '}<span class="path">${visiblePath(source)}</span>`)}`
    }
  </p>`
}

/** Problems of the file as a whole, and of lines that are not shown. */
function problemsAbove({ checks }: Reviewed, { file, shown }: FileContext, body: FileBody | undefined): Html {
  const left = checks.filter(
    ({ path, line }) => path === file.path && (line === null || !body || !shown.has(line)),
  )
  return left.length === 0 ? html`` : html`<div class="review-above">${left.slice(0, 100).map(problem)}</div>`
}
