import { html, raw } from 'hono/html'
import { changedFiles } from '../../../integrations/git/trees/changed-files.ts'
import { sha256 } from '../../../lib/ids.ts'
import { counted } from '../../../lib/text/counted.ts'
import { within } from '../../../lib/within.ts'
import { pageEnding } from '../../../site/text/markup.ts'
import type { CheckColumn } from '../../../store/columns.ts'
import type { PageLists } from '../../../api/docs/navigation/page-list.ts'
import { counts } from '../../../api/frame/html/diff.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { fileBody, type FileBody } from './file-body.ts'
import { fileSection, sectionName } from './file-section.ts'
import { fileTree } from './file-tree.ts'
import type { ReadRows } from './read-rows.ts'
import { stepOf } from './file-parts.ts'
import { reviewAddress, type ReviewRequest, type ReviewView } from './review-request.ts'
import type { FileContext, Reviewed, ReviewFile, ReviewOptions } from './reviewed.ts'

interface Ports {
  pagesOf: PageLists
  readRows: ReadRows
}

/** The most files that one page names. */
const mostFiles = 1000
/** As many as are named above the change without being asked for. */
const fewFiles = 10
/** How much of them a page shows at first: the others open on demand. */
const mostBodies = 20
const mostRows = 1000
const firstLines = 200
const firstBlocks = 60
/**
 * Milliseconds that a page waits for its first file, for which a thread may have to start, and for all of them; what
 * takes longer opens on demand.
 */
const patience = { first: 6000, all: 1500 }

/** The part of a page that shows what a change did, file by file. */
export async function showReview(
  ports: Ports,
  reviewed: Reviewed,
  request: ReviewRequest,
  options: ReviewOptions = {},
): Promise<Html> {
  const all = await filesOf(reviewed)
  const files = all.slice(0, mostFiles)
  const [additions, deletions] = [sum(all, 'additions'), sum(all, 'deletions')]
  if (files.length === 0) return html`<p class="empty">No file is changed.</p>`
  const contexts = files.map((file) => contextOf(reviewed, request, options, file))
  // A browser that shows the page already asks for the lines that have changed when they are seen.
  const bodies = request.shown
    ? new Map<string, FileBody>()
    : await firstBodies(ports, reviewed, request, contexts)
  const names = new Map(contexts.map((context) => [context.file.id, sectionName(reviewed, context)]))
  const withProblems = new Set(reviewed.checks.map(({ path }) => path))
  return html`<div class="review" id="review">
    <div class="review-bar">
      <p class="review-sum">
        <strong>${counted(all.length, 'file')} changed</strong> ${counts(additions, deletions)}
      </p>
      ${choices(reviewed, request)}
    </div>
    <div class="review-columns">
      ${
        files.length === 1
          ? ''
          : html`<nav class="review-files" aria-label="Changed files">
              <details ${files.length <= fewFiles ? html`open` : ''} data-key="review files">
                <summary>Files</summary>
                ${await compact(fileTree(files, { viewed: options.viewed ?? new Set(), problems: withProblems, names, shown: request.shown }))}
              </details>
            </nav>`
      }
      <div class="review-list">
        ${contexts.map((context) => sectionOf(reviewed, request, context, bodies.get(context.file.id)))}
        ${all.length > files.length ? html`<p class="muted">${counted(all.length - files.length, 'more file')} ${all.length - files.length === 1 ? 'is' : 'are'} not listed.</p>` : ''}
      </div>
    </div>
  </div>`
}

function sectionOf(
  reviewed: Reviewed,
  request: ReviewRequest,
  context: FileContext,
  body: FileBody | undefined,
): Html {
  const section = fileSection(reviewed, request, context, body)
  return body ? section : compact(section)
}

/** Hundreds of files come with each page: without the indentation of the templates they are half as long. */
async function compact(content: Html): Promise<Awaited<Html>> {
  return raw((await content).toString().replaceAll(/>\n\s*</g, '> <'))
}

/** One file of the same, for the script that opens files in place. */
export async function showReviewFile(
  ports: Ports,
  reviewed: Reviewed,
  request: ReviewRequest,
  options: ReviewOptions = {},
): Promise<Html> {
  const file = (await filesOf(reviewed)).find(({ path }) => path === request.file)
  if (!file) return html`<p class="empty">This file is no longer part of the change.</p>`
  const context = contextOf(reviewed, request, options, file)
  return fileSection(reviewed, request, context, await bodyOf(ports, reviewed, request, context))
}

async function filesOf({ repository, from, to }: Reviewed): Promise<ReviewFile[]> {
  const files = from === to ? [] : await changedFiles(repository, from, to)
  return files
    .map((file) => ({ file, place: placeInTree(file.path) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ file }) => ({ ...file, id: `file-${sha256(file.path).slice(0, 12)}` }))
}

/** Sorts what stands in a folder before the files beside it. */
function placeInTree(path: string): string {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return [...folders.map((folder) => `0${folder}`), `1${name}`].join('\0')
}

function sum(files: readonly ReviewFile[], what: 'additions' | 'deletions'): number {
  return files.reduce((total, file) => total + file[what], 0)
}

function contextOf(
  reviewed: Reviewed,
  request: ReviewRequest,
  options: ReviewOptions,
  file: ReviewFile,
): FileContext {
  const problems = new Map<number, CheckColumn[]>()
  for (const check of reviewed.checks) {
    if (check.path !== file.path || check.line === null) continue
    problems.set(check.line, [...(problems.get(check.line) ?? []), check])
  }
  return {
    file,
    options,
    problems,
    shown: new Set(),
    more: (query) => reviewAddress(reviewed.page, request, { file: file.path, ...query }, file.id),
  }
}

function bodyOf(
  ports: Ports,
  reviewed: Reviewed,
  request: ReviewRequest,
  context: FileContext,
): Promise<FileBody> {
  const isAsked = context.file.path === request.file
  const view: ReviewView = (isAsked ? request.as : undefined) ?? request.view
  const isPage = view === 'rendered' && pageEnding.test(context.file.path)
  const noun = isPage ? 'blocks' : 'lines'
  const window = isAsked
    ? { from: request.from, count: request.count ?? stepOf(noun), whole: request.whole }
    : { from: 0, count: isPage ? firstBlocks : firstLines, whole: false }
  return fileBody(ports, reviewed, context, { view, lines: request.lines, window })
}

/** The files that are open at first: as many as can be read soon and sent in one page. */
async function firstBodies(
  ports: Ports,
  reviewed: Reviewed,
  request: ReviewRequest,
  contexts: readonly FileContext[],
): Promise<Map<string, FileBody>> {
  const bodies = new Map<string, FileBody>()
  const began = Date.now()
  const isAsked = ({ file }: FileContext): boolean => file.path === request.file
  const inOrder = [...contexts.filter(isAsked), ...contexts.filter((one) => !isAsked(one))]
  let rows = 0
  for (const context of inOrder) {
    if (bodies.size >= mostBodies || rows >= mostRows) break
    if (context.options.viewed?.has(context.file.path) && !isAsked(context)) continue
    const left = began + (bodies.size === 0 ? patience.first : patience.all) - Date.now()
    const body =
      left > 0 ? await within(left, bodyOf(ports, reviewed, request, context), () => undefined) : undefined
    if (!body) break
    bodies.set(context.file.id, body)
    rows += body.rows
  }
  return bodies
}

function choices({ page }: Reviewed, request: ReviewRequest): Html {
  const choice = (label: string, query: Record<string, string>, isChosen: boolean): Html =>
    html`<a
      href="${reviewAddress(page, request, query, 'review')}"
      ${isChosen ? html` aria-current="true"` : ''}
      >${label}</a
    >`
  const { view, lines } = request
  return html`<div class="review-choices">
    <nav class="segments" aria-label="View">
      ${choice('Pages', { view: 'rendered' }, view === 'rendered')}${choice('Source', { view: 'source' }, view === 'source')}
    </nav>
    <nav class="segments" aria-label="Columns">
      ${choice('One column', { view, lines: 'unified' }, lines === 'unified')}${choice('Side by side', { view, lines: 'split' }, lines === 'split')}
    </nav>
  </div>`
}
