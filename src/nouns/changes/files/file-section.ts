import { visiblePath } from '../../../api/frame/html/visible.ts'
import { html, raw } from 'hono/html'
import { sha256 } from '../../../lib/ids.ts'
import type { PageColumn } from '../../../store/columns.ts'
import { counts } from '../../../api/frame/html/diff.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { externalLink, withCapital } from '../../../api/frame/html/parts.ts'
import { nameOfState } from '../../../api/frame/html/shown.ts'
import type { FileBody } from './file-body.ts'
import { problem } from './file-parts.ts'
import { reviewAddress, type ReviewRequest } from './review-request.ts'
import { type FileContext, type Reviewed, type ReviewFile } from './reviewed.ts'

const words = {
  added: 'added',
  modified: '',
  deleted: 'deleted',
  renamed: 'moved',
  type_changed: 'kind changed',
} as const

/** Differs where the lines of a file, or what stands at them, are others. */
function versionOf({ checks }: Reviewed, { file, options }: FileContext): string {
  const own = checks.filter(({ path }) => path === file.path)
  const state = [file.oldOid, file.oid, file.mode, own, options.versionOf?.(file.path)]
  return sha256(JSON.stringify(state)).slice(0, 12)
}

/** Changes when anything else changes in the section of a file or in its entry in the list of files. */
export function sectionName(reviewed: Reviewed, context: FileContext): string {
  const { file, options } = context
  const { path, oldPath } = file
  const facts = [oldPath, reviewed.kept.has(path), reasonOf(reviewed, file)]
  return nameOfState([path, versionOf(reviewed, context), options.viewed?.has(path) === true, facts])
}

/**
 * One file of a change. Without a body it has a link that opens it. A browser that shows all of it already gets the empty
 * section, and leaves what it shows as it is.
 */
export function fileSection(
  reviewed: Reviewed,
  request: ReviewRequest,
  context: FileContext,
  body: FileBody | undefined,
): Html {
  const { file, options, more } = context
  const { path, id, additions, deletions } = file
  const isViewed = options.viewed?.has(path) === true
  const version = versionOf(reviewed, context)
  const name = sectionName(reviewed, context)
  if (!body && request.shown?.has(name)) return html`<section id="${id}" data-same></section>`
  const isOpen = !isViewed || request.file === path
  return html`<section
    class="review-file"
    id="${id}"
    data-path="${path}"
    data-version="${version}"
    data-shown="${name}"
    ${raw(isViewed ? 'data-viewed' : '')}
    aria-labelledby="${id}-name"
  >
    <div class="review-head">
      <h3 id="${id}-name" class="path"><bdi>${visiblePath(path)}</bdi></h3>
      ${badges(reviewed, file)} ${additions + deletions === 0 ? '' : counts(additions, deletions)}
      <div class="review-tools">
        ${body?.other === undefined ? '' : otherView(body.other, more)}${options.fileTools?.(path) ?? ''}
      </div>
    </div>
    ${reason(reviewed, file)}${problemsAbove(reviewed, context, body)}
    <details ${raw(isOpen ? 'open' : '')} data-key="review ${path}">
      <summary><span class="hidden">Changes of ${visiblePath(path)}</span></summary>
      <div class="review-content" id="${id}-changes" ${body ? html`data-printed="${version}"` : ''}>
        ${
          body?.html ??
          html`<p class="review-unopened">
            <a data-review="file" href="${reviewAddress(reviewed.page, request, { file: path }, id)}"
              >Show changes</a
            >
          </p>`
        }
      </div>
    </details>
  </section>`
}

function otherView(other: 'rendered' | 'source', more: FileContext['more']): Html {
  return html`<a data-review="file" data-keep class="review-as" href="${more({ as: other })}"
    >${other === 'source' ? 'Source' : 'Preview'}</a
  >`
}

function badges({ kept }: Reviewed, { path, oldPath, status, mode, oldMode }: ReviewFile): Html {
  const word = words[status]
  return html`${word === '' || status === 'renamed' ? '' : html`<span class="badge ${status === 'added' ? 'good' : status === 'deleted' ? 'bad' : ''}">${withCapital(word)}</span>`}
  ${oldPath === undefined ? '' : html`<span class="badge">Moved</span> <span class="muted">from <bdi class="path">${visiblePath(oldPath)}</bdi></span>`}
  ${mode !== undefined && oldMode !== undefined && mode !== oldMode ? html`<span class="badge">${kindOf(oldMode)} → ${kindOf(mode)}</span>` : ''}
  ${kept.has(path) ? html`<span class="badge busy">Unpublished</span>` : ''}`
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

function reasonOf({ reasons }: Reviewed, { path, oldPath }: ReviewFile): PageColumn | undefined {
  return reasons.get(path) ?? (oldPath === undefined ? undefined : reasons.get(oldPath))
}

function reason(reviewed: Reviewed, file: ReviewFile): Html {
  const page = reasonOf(reviewed, file)
  if (!page?.reason) return html``
  return html`<p class="review-why">
    <strong>Why:</strong> ${visiblePath(page.reason.slice(0, mostReason))}${
      page.sources.length === 0
        ? ''
        : html` <span class="muted">Source${page.sources.length === 1 ? '' : 's'}:</span>
            ${page.sources.map((source, index) => html`${index === 0 ? '' : ', '}${sourceView(source, page.links?.[source])}`)}`
    }
  </p>`
}

function sourceView(source: string, address: string | undefined): Html {
  return address !== undefined && /^https?:\/\//.test(address)
    ? externalLink(address, visiblePath(source))
    : html`<span class="path">${visiblePath(source)}</span>`
}

/** Problems of the file as a whole, and of lines that are not shown. */
function problemsAbove({ checks }: Reviewed, { file, shown }: FileContext, body: FileBody | undefined): Html {
  const left = checks.filter(
    ({ path, line }) => path === file.path && (line === null || !body || !shown.has(line)),
  )
  return left.length === 0 ? html`` : html`<div class="review-above">${left.slice(0, 100).map(problem)}</div>`
}
