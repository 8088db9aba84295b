import { html } from 'hono/html'
import type { CommentState, ReviewedComment } from '../../features/agent/review/read-review.ts'
import { buttonForm, csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { ago } from '../../api/frame/html/parts.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../api/render/markdown/render-markdown.ts'
import { visible, visiblePath } from '../../api/frame/html/visible.ts'
import { longestComment } from '../../lib/prompts/review-prompt.ts'
import { actionOf, hrefOf, type LineRange, type Review } from './read-review.ts'

interface Ports {
  now(): Date
  readMarkdown: ReadMarkdown
}

const states: Record<CommentState, { word: string; tone: string }> = {
  draft: { word: 'Not sent', tone: 'busy' },
  waiting: { word: 'With the agent', tone: 'busy' },
  changed: { word: 'Changed since', tone: 'good' },
  unchanged: { word: 'Not changed', tone: '' },
  failed: { word: 'Follow-up failed', tone: 'bad' },
  resolved: { word: 'Resolved', tone: 'done' },
}

export function stateBadge({ state }: Pick<ReviewedComment, 'state'>): Html {
  const { word, tone } = states[state]
  return html`<span class="badge ${tone}">${word}</span>`
}

/** `guides/retries.mdx:12–14` */
export function placeText({ path, line, endLine, side }: LineRange): Html {
  const lines = endLine > line ? `${line}–${endLine}` : String(line)
  return html`<span class="path">${visiblePath(path)}:${lines}</span
    >${side === 'old' ? html` <span class="muted">before the change</span>` : ''}`
}

/** A comment with what its reader may do with it. One whose lines are not shown brings them along. */
export function commentView(ports: Ports, review: Review, comment: ReviewedComment, isAtLine: boolean): Html {
  const { id, author, authorId, body, state, createdAt, updatedAt, now, turn, quote } = comment
  if (review.writing.edited === id && canEdit(review, comment)) return editForm(review, comment)
  // A file that opens later brings its comments along.
  const name = isAtLine ? id : `listed-${id}`
  return html`<article class="remark ${state}" id="${name}">
    <p class="remark-head">
      <strong>${author}</strong>
      <span class="muted">${ago(createdAt, ports.now())}${updatedAt === undefined ? '' : ', edited'}</span>
      ${stateBadge(comment)} ${now === undefined ? html`<span class="badge">Outdated</span>` : ''}
      ${turn === undefined ? '' : html`<a href="${answerOf(review, turn)}">sent as follow-up ${turn - 1}</a>`}
    </p>
    ${
      isAtLine
        ? ''
        : html`<p class="remark-place">${placeText(comment)}</p>
            <pre
              class="remark-quote"
              tabindex="0"
              aria-label="The lines as they were"
            ><code>${visible(quote)}</code></pre>`
    }
    <div class="prose">${renderMarkdown(ports.readMarkdown, review.project.id, body)}</div>
    ${tools(review, comment, authorId === review.viewerId)}
  </article>`
}

/** Where the agent says what it made of a comment. */
function answerOf({ project, job }: Review, turn: number): string {
  return `/projects/${project.domain}/jobs/${job.id}#turn-${turn}`
}

function canEdit(review: Review, { turn, authorId }: ReviewedComment): boolean {
  return review.mayWrite && turn === undefined && authorId === review.viewerId
}

function tools(review: Review, comment: ReviewedComment, isOwn: boolean): Html {
  const { session, path, query, mayWrite } = review
  const { id, state, turn } = comment
  if (!mayWrite) return html``
  const action = (what: string): string => actionOf(review, `comments/${id}/${what}`)
  if (turn === undefined)
    return isOwn
      ? html`<div class="remark-tools">
          <a href="${hrefOf(path, query, { edit: id }, id)}" data-open="${id}">Edit</a>
          ${reviewForm(buttonForm(session, { action: action('delete'), label: 'Delete' }))}
        </div>`
      : html``
  const isResolved = state === 'resolved'
  return html`<div class="remark-tools">
    ${reviewForm(
      buttonForm(session, {
        action: action('resolve'),
        label: isResolved ? 'Reopen' : 'Resolve',
        ...(!isResolved && { fields: { resolved: 'yes' } }),
      }),
    )}
  </div>`
}

/** A form whose page is brought up to date in place, where scripts run. */
function reviewForm(form: Html): Html {
  return html`<div class="in-place" data-in-place>${form}</div>`
}

function editForm(review: Review, { id, body, path: file, line, endLine, side }: ReviewedComment): Html {
  const { session, path, query, writing } = review
  return html`<form
    method="post"
    action="${actionOf(review, `comments/${id}/edit`)}"
    class="stack comment-form"
    id="${id}"
    data-in-place
  >
    ${csrfField(session)}
    <p class="muted">Edit the comment on ${placeText({ path: file, line, endLine, side })}</p>
    <label for="edit-body">Your comment</label>
    <textarea id="edit-body" name="body" rows="4" required maxlength="${longestComment}">
${writing.typed.get('body') ?? body}</textarea>
    <div class="buttons">
      <button class="primary">Save</button>
      <a class="button" href="${hrefOf(path, query, {}, id)}" data-open="${id}">Cancel</a>
    </div>
  </form>`
}

/** The form of a new comment on lines. */
export function newCommentForm(review: Review, range: LineRange): Html {
  const { session, path, query, writing, change } = review
  const revision = writing.typed.get('revision') ?? (range.side === 'old' ? change.from : change.to)
  return html`<form
    method="post"
    action="${actionOf(review, 'comments')}"
    class="stack comment-form"
    id="comment-form"
    data-in-place
  >
    ${csrfField(session)}
    <input type="hidden" name="path" value="${range.path}" />
    <input type="hidden" name="side" value="${range.side}" />
    <input type="hidden" name="revision" value="${revision}" />
    <p class="comment-lines">
      <span class="path">${visiblePath(range.path)}</span>
      <span>
        <label for="comment-line">Line</label>
        <input id="comment-line" name="line" type="number" min="1" required value="${range.line}" />
        <label for="comment-end">to</label>
        <input id="comment-end" name="endLine" type="number" min="1" required value="${range.endLine}" />
      </span>
    </p>
    <label for="comment-body">Leave a comment</label>
    <textarea
      id="comment-body"
      name="body"
      data-draft
      rows="4"
      required
      maxlength="${longestComment}"
      aria-describedby="comment-hint"
    >
${writing.typed.get('body') ?? ''}</textarea>
    <p class="hint" id="comment-hint">
      To replace ${range.endLine > range.line ? 'the lines' : 'the line'} yourself, start with
      <code>Replace with:</code> and write the new text.
    </p>
    <div class="buttons">
      <button class="primary">Add to the review</button>
      <a class="button" href="${hrefOf(path, query, {}, 'changes')}" data-open="comment-form">Cancel</a>
    </div>
  </form>`
}
