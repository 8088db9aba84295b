import { html } from 'hono/html'
import { readBlobs } from '../../../integrations/git/trees/blob-reader.ts'
import { diffTrees } from '../../../integrations/git/trees/diff-trees.ts'
import { readText } from '../../../site/text/encoding.ts'
import { markupOf, pageEnding } from '../../../site/text/markup.ts'
import type { PageLists } from '../../../api/docs/navigation/page-list.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { docsPath } from '../../../api/render/docs-path.ts'
import { findImages, imagesVersion, isImage } from '../../../api/render/find-images.ts'
import { holdsComponents } from '../../../api/render/markdown/render-page.ts'
import type { ReadRows } from './read-rows.ts'
import { renderedView } from './rendered-view.ts'
import type { Addresses, AddressesAsked, AddressesFound, PageVersion, Window } from './review-data.ts'
import type { LineView, ReviewView } from './review-request.ts'
import type { FileContext, Reviewed, ReviewFile } from './reviewed.ts'
import { sourceView } from './source-view.ts'
import { visible } from '../../../api/frame/html/visible.ts'

interface Ports {
  pagesOf: PageLists
  readRows: ReadRows
}

/** What is shown of a file. */
export interface FileBody {
  html: Html
  /** About how much it is. */
  rows: number
  /** The other way in which the file can be shown. */
  other: ReviewView | undefined
}

interface Wanted {
  view: ReviewView
  lines: LineView
  window: Window
}

const longestText = 2 * 1024 * 1024
/** Characters of a page that is read as a tree. */
const longestPage = 300_000
const longestDiff = 8 * 1024 * 1024
/** Enough context for every line of a file. */
const everything = 10_000_000

/** What a file's changes look like. */
export async function fileBody(
  ports: Ports,
  reviewed: Reviewed,
  context: FileContext,
  wanted: Wanted,
): Promise<FileBody> {
  const { file } = context
  if (isRegular(file) && isImage(file.path) && (file.binary || wanted.view === 'rendered'))
    return imageBody(reviewed, file)
  if (file.binary) return said('A binary file.')
  if (file.oid === file.oldOid)
    return said(file.oldPath === undefined ? 'No text changed.' : 'File moved without changes.')
  let isSame = false
  const isPage = isRegular(file) && pageEnding.test(file.path)
  if (isPage && wanted.view === 'rendered') {
    const rendered = await renderedBody(ports, reviewed, context, wanted)
    if (rendered && rendered !== 'same') return rendered
    isSame = rendered === 'same'
  }
  const source = await sourceBody(ports, reviewed, context, wanted)
  if (!isPage || !source) return source ?? said('Too long to show here.')
  return wanted.view === 'source'
    ? { ...source, other: 'rendered' }
    : {
        ...source,
        html: html`<p class="review-said">
            ${isSame ? 'No visible change. Changed in the source:' : await whyNoPreview(reviewed, file)}
          </p>
          ${source.html}`,
      }
}

async function whyNoPreview(reviewed: Reviewed, file: ReviewFile): Promise<string> {
  const { before, after } = await readTexts(reviewed, file)
  return isTooLong(file.oldOid, before) || isTooLong(file.oid, after)
    ? `The page is longer than ${longestPage.toLocaleString('en')} characters, so its source is shown.`
    : 'Can’t render a preview of this page. Its source is shown.'
}

/** Neither a link nor a submodule. */
function isRegular({ mode, oldMode }: ReviewFile): boolean {
  return [mode, oldMode].every((one) => one === undefined || one.startsWith('100'))
}

function said(text: string): FileBody {
  return { html: html`<p class="review-said">${text}</p>`, rows: 1, other: undefined }
}

async function renderedBody(
  ports: Ports,
  reviewed: Reviewed,
  context: FileContext,
  { lines, window }: Wanted,
): Promise<FileBody | 'same' | undefined> {
  const { project, repository, from, to, images } = reviewed
  const { file } = context
  const oldPath = file.oldPath ?? file.path
  const key = JSON.stringify([
    [file.oldOid, file.oid, file.oldMode, file.mode, oldPath, file.path],
    [project.id, project.generation, project.framework, window, lines],
    // What a page in another markup becomes depends on its site.
    markupOf(file.path) && [from, to],
    images && (await imagesVersion(repository, from, to)),
  ])
  const rendering = await ports.readRows.rendered(
    { projectId: project.id, key },
    async () => {
      const texts = await readTexts(reviewed, file)
      if (isTooLong(file.oldOid, texts.before) || isTooLong(file.oid, texts.after)) return undefined
      const version = (tree: string, path: string, page: Texts['before']): PageVersion | undefined =>
        page && {
          text: page.text,
          mdx: holdsComponents(path, project.framework),
          place: markupOf(path) && { repository, tree, root: project.root, path },
        }
      return {
        before: version(from, oldPath, texts.before),
        after: version(to, file.path, texts.after),
        lines,
        window,
      }
    },
    (request) => findAddresses(ports, reviewed, file, request),
  )
  if (!rendering) return undefined
  // A change that readers do not see, such as another line break, is shown as source.
  if (rendering.changes === 0) return 'same'
  return {
    html: renderedView(context, rendering, window, lines),
    rows: rendering.rows.length * 4,
    other: 'source',
  }
}

async function findAddresses(
  ports: Ports,
  { project, repository, from, to, images }: Reviewed,
  { path, oldPath = path }: ReviewFile,
  asked: AddressesAsked,
): Promise<AddressesFound> {
  const { links, pages } = await ports.pagesOf(project)
  const linksOf = (file: string, addresses: readonly string[]): Addresses => {
    const url = pages.find((page) => page.path === file)?.url ?? `/${file.replace(/\.\w+$/, '')}`
    const hrefs: Addresses = Object.create(null)
    for (const address of addresses) {
      const page = links({ path: file, url }, address)
      if (page !== undefined) hrefs[address] = docsPath(project.domain, page)
    }
    return hrefs
  }
  const imagesOf = async (tree: string, file: string, addresses: readonly string[]): Promise<Addresses> => {
    if (!images) return {}
    const oids = await findImages(repository, tree, file, addresses)
    return Object.fromEntries(
      Object.entries(oids).map(([address, oid]) => [address, imageAddress(project.domain, oid)]),
    )
  }
  return {
    links: { before: linksOf(oldPath, asked.links.before), after: linksOf(path, asked.links.after) },
    images: {
      before: await imagesOf(from, oldPath, asked.images.before),
      after: await imagesOf(to, path, asked.images.after),
    },
  }
}

function imageAddress(domain: string, oid: string): string {
  return `/projects/${domain}/images/${oid}`
}

async function sourceBody(
  ports: Ports,
  reviewed: Reviewed,
  context: FileContext,
  { lines, window }: Wanted,
): Promise<FileBody | undefined> {
  const { project, repository, from, to } = reviewed
  const { file } = context
  const { path, oldPath = path } = file
  const id = JSON.stringify([file.oldOid, file.oid, file.oldMode, file.mode, oldPath, path, window.whole])
  const key = JSON.stringify([id, window.from, window.count])
  const task = { id, path, oldPath, window }
  const source = await ports.readRows.source({ projectId: project.id, key }, task, async () => {
    const { text: diff } = await diffTrees(repository, from, to, {
      paths: [...new Set([oldPath, path])],
      context: window.whole ? everything : undefined,
      maxBytes: longestDiff,
    })
    return diff === '' ? undefined : { diff, ...(await readTexts(reviewed, file)) }
  })
  if (!source || source.total === 0) return undefined
  return {
    html: sourceView(context, source, lines, window),
    rows: source.rows.length,
    other: undefined,
  }
}

/** The file before and after, as far as it is text of a usual length. */
async function readTexts({ repository }: Reviewed, file: ReviewFile): Promise<Texts> {
  const texts = new Map<string, string>()
  const wanted = isRegular(file) ? [file.oldOid, file.oid].filter((oid) => oid !== undefined) : []
  for await (const blob of readBlobs(repository, new Set(wanted), { maxBytes: longestText }))
    if (blob.state === 'read') texts.set(blob.oid, readText(blob.content))
  const textOf = (oid: string | undefined): Texts['before'] => {
    const text = oid === undefined ? undefined : texts.get(oid)
    return oid === undefined || text === undefined ? undefined : { id: oid, text }
  }
  return { before: textOf(file.oldOid), after: textOf(file.oid) }
}

function isTooLong(oid: string | undefined, page: Texts['before']): boolean {
  return oid !== undefined && (page === undefined || page.text.length > longestPage)
}

interface Texts {
  before: { id: string; text: string } | undefined
  after: { id: string; text: string } | undefined
}

function imageBody({ project, images }: Reviewed, { path, oid, oldOid, binary }: ReviewFile): FileBody {
  if (!images) return said('An image. Sign in to see it.')
  const show = (label: string, id: string | undefined): Html =>
    id === undefined
      ? html``
      : html`<figure>
          <figcaption>${label}</figcaption>
          <img src="${imageAddress(project.domain, id)}" alt="${label}: ${visible(path)}" loading="lazy" />
        </figure>`
  return {
    html: html`<div class="review-images" data-change>${show('Before', oldOid)}${show('After', oid)}</div>`,
    rows: 10,
    other: binary ? undefined : 'source',
  }
}
