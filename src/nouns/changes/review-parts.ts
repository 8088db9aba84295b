import { html } from 'hono/html'
import type { ReviewedComment } from '../../features/agent/review/read-review.ts'
import { csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { readShown } from '../../api/frame/html/shown.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import { excerptOf } from '../../api/render/markdown/render-markdown.ts'
import { longestComment } from '../../lib/prompts/review-prompt.ts'
import type { Place, ReviewOptions } from './files/reviewed.ts'
import { commentView, newCommentForm, placeText, stateBadge } from './comment-view.ts'
import { actionOf, commentHref, type Review } from './read-review.ts'

interface Ports {
  now(): Date
  readMarkdown: ReadMarkdown
}

/** What a diff shows of a review, and which comments and forms it has shown at their lines so far. */
export interface ShownAtLines extends ReviewOptions {
  comments: ReadonlySet<string>
  hasForm(): boolean
}

export function reviewAtLines(ports: Ports, review: Review): ShownAtLines {
  const { writing, mayWrite, progress } = review
  const byPlace = new Map<string, ReviewedComment[]>()
  const placed = review.comments.filter(({ now, state }) => now !== undefined && state !== 'resolved')
  for (const comment of placed) {
    if (comment.now === undefined) continue
    const key = keyOf({ path: comment.path, side: comment.side, line: comment.now.endLine })
    byPlace.set(key, [...(byPlace.get(key) ?? []), comment])
  }
  const range = mayWrite ? writing.range : undefined
  const wanted = range && keyOf({ ...range, line: range.endLine })
  // Comments that the browser already shows are not printed again.
  const known = readShown(review.context)
  const shownIds = new Set(placed.flatMap(({ id }) => (known?.has(id) === true ? id : [])))
  let hasForm = known?.has('comment-form') === true
  return {
    comments: shownIds,
    hasForm: () => hasForm,
    viewed: progress.viewed,
    commentsAt(place) {
      const key = keyOf(place)
      const comments = (byPlace.get(key) ?? []).filter(({ id }) => !shownIds.has(id))
      const opens = range !== undefined && key === wanted && !hasForm
      if (comments.length === 0 && !opens) return undefined
      for (const { id } of comments) shownIds.add(id)
      hasForm ||= opens
      return html`${comments.map((comment) => commentView(ports, review, comment, true))}${opens ? newCommentForm(review, range) : ''}`
    },
    ...(mayWrite && {
      lineLink: ({ path, side, line, first = line }: Place) =>
        commentHref(review, { path, side, line: first, endLine: line }),
    }),
    versionOf: (file) => JSON.stringify(placed.filter(({ path }) => path === file)),
    fileTools: (path) => viewedForm(review, path),
  }
}

function keyOf({ side, line, path }: Place): string {
  return `${side} ${line} ${path}`
}

/** The button that marks a file as viewed, or takes the mark away. */
function viewedForm(review: Review, path: string): Html {
  const { session, progress } = review
  const isViewed = progress.viewed.has(path)
  return html`<form
    method="post"
    action="${actionOf(review, 'viewed')}"
    class="viewed-form"
    data-in-place
    data-view-mark
  >
    ${csrfField(session)}
    <input type="hidden" name="path" value="${path}" />
    ${isViewed ? '' : html`<input type="hidden" name="viewed" value="yes" />`}
    <button aria-pressed="${isViewed ? 'true' : 'false'}">${isViewed ? '✓ Viewed' : 'Mark as viewed'}</button>
  </form>`
}

const keys = [
  ['j', 'next change'],
  ['k', 'previous change'],
  [']', 'next file'],
  ['[', 'previous file'],
  ['c', 'comment on the change'],
  ['v', 'mark the file as viewed'],
  ['s', 'send the comments'],
  ['m', 'merge'],
  ['?', 'these keys'],
] as const

/** How far the person is, and the keys that help. */
export function reviewProgress({ progress, comments }: Review): Html {
  const { files, viewed } = progress
  const unsent = comments.filter(({ state }) => state === 'draft').length
  return html`<div class="review-progress" id="review-progress">
    <span>
      <progress
        value="${viewed.size}"
        max="${Math.max(files.length, 1)}"
        aria-label="Files viewed"
      ></progress>
      ${viewed.size} of ${files.length} ${files.length === 1 ? 'file' : 'files'} viewed
    </span>
    ${unsent === 0 ? '' : html`<a href="#send-comments">${unsent === 1 ? 'One comment' : `${unsent} comments`} not sent</a>`}
    <details class="keys" id="review-keys" data-key="review-keys">
      <summary>Keyboard</summary>
      <div class="keys-list">
        <dl>
          ${keys.map(
            ([key, what]) =>
              html`<div>
                <dt><kbd>${key}</kbd></dt>
                <dd>${what}</dd>
              </div>`,
          )}
        </dl>
        <label class="check"><input type="checkbox" data-use-keys checked /> Use these keys</label>
      </div>
    </details>
  </div>`
}

/** The draft review with the form that sends it, and what was sent before. */
export function reviewComments(ports: Ports, review: Review, shown: ShownAtLines): Html {
  const { comments, writing, mayWrite } = review
  const drafts = comments.filter(({ state }) => state === 'draft')
  const sent = comments.filter(({ state }) => state !== 'draft').toReversed()
  const stray = mayWrite && writing.range && !shown.hasForm() ? newCommentForm(review, writing.range) : ''
  return html`<section id="review-comments">
    <h2>Comments on lines</h2>
    ${stray}
    ${comments.length === 0 ? html`<p class="empty">No comments yet. Hover over a line and click + to comment. The agent gets all your comments at once.</p>` : ''}
    ${
      drafts.length === 0
        ? ''
        : html`<div class="card" id="send-comments">
            <h3>Pending</h3>
            ${drafts.map((comment) => listed(ports, review, comment, shown))}
            ${mayWrite ? sendForm(review, drafts.length) : ''}
          </div>`
    }
    ${sent.length === 0 ? '' : html`<div class="sent-comments">${sent.map((comment) => listed(ports, review, comment, shown))}</div>`}
  </section>`
}

// A comment that stands at its line is only named here.
function listed(ports: Ports, review: Review, comment: ReviewedComment, shown: ShownAtLines): Html {
  if (!shown.comments.has(comment.id)) return commentView(ports, review, comment, false)
  return html`<p class="remark-link">
    <a href="#${comment.id}">${placeText({ ...comment, ...comment.now })}</a> ${stateBadge(comment)}
    <span class="muted">${excerptOf(ports.readMarkdown, review.project.id, comment.body)}</span>
  </p>`
}

function sendForm(review: Review, count: number): Html {
  const { session, writing, job } = review
  return html`<form
    method="post"
    action="${actionOf(review, 'comments/send')}"
    class="stack"
    data-stay="Sending…"
  >
    ${csrfField(session)}
    <label for="remark">Summary <span class="muted">(optional)</span></label>
    <textarea id="remark" name="remark" data-draft rows="2" maxlength="${longestComment}">
${writing.remark}</textarea>
    <button class="primary">Send ${count === 1 ? 'the comment' : `${count} comments`} to the agent</button>
    <p class="muted">
      ${count === 1 ? 'It becomes' : 'Together they become'} a follow-up of the
      job${job.status === 'active' ? ', after the current prompt' : ''}.
    </p>
  </form>`
}
