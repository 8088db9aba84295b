import { html } from 'hono/html'
import type { Html } from './html.ts'
import { parseDiff, type DiffFile, type DiffLine } from './parse-diff.ts'

const maximumLines = 4000
const maximumLineLength = 2000
const maximumFiles = 300

/** A line of one side of a change. */
export interface Place {
  path: string
  side: 'old' | 'new'
  line: number
}

/** What a page shows beside a diff. */
export interface DiffOptions {
  /** What stands below a line. */
  commentsAt?: (place: Place) => Html | undefined
  /** Where the number of a line leads. */
  lineLink?: (place: Place) => string | undefined
  viewed?: ReadonlySet<string>
  fileTools?: (path: string) => Html
}

/** A diff by file, with line numbers. Signs mark added and removed lines, and colours only repeat them. */
export function diffView(diff: string, options: DiffOptions = {}): Html {
  const { files, note } = parseDiff(diff, maximumLines)
  const additions = files.reduce((sum, file) => sum + file.additions, 0)
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0)
  return html`<p class="muted">
      ${files.length} ${files.length === 1 ? 'file' : 'files'} changed, ${counts(additions, deletions)}
    </p>
    ${files.slice(0, maximumFiles).map((file, index) => fileView(file, index + 1, options))}
    ${files.length > maximumFiles ? html`<p class="muted">${files.length - maximumFiles} more files are not shown.</p>` : ''}
    ${note === undefined ? '' : html`<p class="muted">${note}</p>`}`
}

export function counts(additions: number, deletions: number): Html {
  return html`<span class="counts"
    ><span class="plus">+${additions}</span> <span class="minus">−${deletions}</span></span
  >`
}

function fileView(file: DiffFile, number: number, options: DiffOptions): Html {
  const name =
    file.oldPath === undefined ? visible(file.path) : `${visible(file.oldPath)} → ${visible(file.path)}`
  const isViewed = options.viewed?.has(file.path) === true
  return html`<section class="review-file" id="file-${number}" data-path="${file.path}">
    <details class="file" ${isViewed ? '' : html` open`} data-key="diff ${file.path}">
      <summary>
        <span class="path">${name}</span>
        ${file.status === 'changed' ? '' : html`<span class="badge">${file.status}</span>`}
        ${file.hunks.length === 0 && !file.cut ? '' : counts(file.additions, file.deletions)}
      </summary>
      ${options.fileTools ? html`<div class="file-tools">${options.fileTools(file.path)}</div>` : ''}
      ${
        file.hunks.length === 0
          ? html`<p class="muted">
              ${file.binary ? 'A binary file.' : file.cut ? 'Too long to show here.' : 'No text changed.'}
            </p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label="Changes of ${file.path}">
                <table class="diff">
                  ${file.hunks.map(
                    ({ header, lines }) =>
                      html`<tr class="hunk">
                          <td></td>
                          <td></td>
                          <td>${clip(header)}</td>
                        </tr>
                        ${lines.map((line, at) => lineView(file, line, startsChange(lines, at), options))}`,
                  )}
                </table>
              </div>
              ${file.cut ? html`<p class="muted">The rest of this file is not shown.</p>` : ''}`
      }
    </details>
  </section>`
}

const classes = { added: 'added', removed: 'removed', same: '', note: 'remark' } as const
const signs = { added: '+', removed: '-', same: ' ', note: '' } as const

function startsChange(lines: readonly DiffLine[], at: number): boolean {
  const isChanged = (line: DiffLine | undefined): boolean =>
    line?.kind === 'added' || line?.kind === 'removed'
  return isChanged(lines[at]) && !isChanged(lines[at - 1])
}

function lineView(
  { path, oldPath }: DiffFile,
  { kind, before, after, text }: DiffLine,
  starts: boolean,
  { commentsAt, lineLink }: DiffOptions,
): Html {
  const place: Place =
    after === undefined
      ? { path: oldPath ?? path, side: 'old', line: before ?? 0 }
      : { path, side: 'new', line: after }
  const link = kind === 'note' ? undefined : lineLink?.(place)
  const below = kind === 'note' ? undefined : commentsAt?.(place)
  // Its cells keep white space as it is.
  const tool =
    link === undefined
      ? ''
      : html`<a class="comment-link" data-comment href="${link}" aria-label="Comment on line ${place.line}"
          >+</a
        >`
  return html`<tr
      class="${classes[kind]}"
      data-side="${place.side}"
      data-line="${place.line}"
      ${starts ? html` data-change` : ''}
    >
      <td>${before ?? ''}</td>
      <td>${[after ?? '', tool]}</td>
      <td>${signs[kind]}${clip(text)}</td>
    </tr>
    ${
      below === undefined
        ? ''
        : html`<tr class="remarks">
            <td colspan="3">${below}</td>
          </tr>`
    }`
}

function clip(text: string): string {
  return visible(text.length > maximumLineLength ? `${text.slice(0, maximumLineLength)} … (line cut)` : text)
}

/**
 * Invisible characters, and those that reverse the reading order, could hide a change from the person who merges
 * it.
 */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u200B\u2060-\u2064\uFEFF]/gu, (character) =>
    character === '\t' || character === '\r'
      ? character
      : `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}
