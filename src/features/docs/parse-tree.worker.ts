import { posix } from 'node:path'
import { openBlobReader } from '../../integrations/git/trees/blob-reader.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { listTree, type TreeEntry } from '../../integrations/git/trees/list-tree.ts'
import { treeFiles } from '../../integrations/git/trees/tree-files.ts'
import { answerTasks, type Owner } from '../../lib/threads/answer-tasks.ts'
import { isCurrent, openDescriptions, withOperations } from './descriptions.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type LeftOutFile, leftOutEntries, unreadableReason } from './left-out.ts'
import type { Site } from '../../site/site.ts'
import { createSite } from '../../site/frameworks/create-site.ts'
import { listSites, type PageFolder } from '../../site/frameworks/list-sites.ts'
import { readGuidanceFile } from '../../site/guidance-file.ts'
import { guidanceFile } from '../../site/guidance.ts'
import type { AssistantFileColumn } from '../../store/columns.ts'
import { type KnownPage, type ParsedPage, packRows } from './pages.ts'
import { type NavigationEntry, packNavigation } from './navigation.ts'
import type { RemoteDescription } from './remote-descriptions.ts'
import { isRemote } from '../../site/openapi/remote.ts'
import { isRecord } from '../../lib/is-record.ts'
import { decodeText, storableText } from '../../site/pages/decode.ts'
import { readFrontMatter } from '../../site/markdown/front-matter.ts'
import { readWholePage, textOfPage } from '../../site/includes/read-whole-page.ts'
import { siteWithNames } from '../../site/includes/site-with-names.ts'
import { parsePage } from '../../site/pages/parse-page.ts'
import type { PageRules } from '../../site/pages/page.ts'
import { withIds } from '../../site/links/learn-ids.ts'
import { learnedWith, linkedIds, withLearned } from './linked-ids.ts'

/** What to parse of a commit: the pages that changed since. */
interface ParseTask {
  repository: Repository
  commit: string
  root: string
  fingerprint: string | undefined
  /** Files that no parser of this version could read, with their ids: they are left out. */
  unreadable: ReadonlyMap<string, string>
  /** The hashes of the API descriptions on the web that were fetched, by address. */
  remote: ReadonlyMap<string, string>
}

type ParseRequest =
  | ({ kind: 'write' } & ParsedBatch)
  /** For stored pages, some at a time: those whose paths come after this one. */
  | { kind: 'known'; after: string }
  /** For an API description on the web. */
  | { kind: 'remote'; address: string }

interface ParsedBatch {
  /** As `packRows` packs them. */
  rows: string
  done: number
  total: number
}

/** Parses a commit off the main thread; asks for every batch of pages to be written before it goes on. */
export interface ParseThread {
  task: ParseTask
  request: ParseRequest
  /** Empty after the last ones. */
  reply: [path: string, page: KnownPage][] | RemoteDescription | undefined
  /** `unreadable`: paths of the task's that were left out; `leftOut`: what else would be a page and is not. */
  answer: {
    removed: string[]
    /** The addresses of all API descriptions on the web that the site names. */
    remote: string[]
    unreadable: string[]
    leftOut: LeftOutFile[]
    framework: string
    language: string | undefined
    fingerprint: string
    pageFolders: PageFolder[]
    /** As `packNavigation` packs it. */
    navigation: string
    assistantFile: Omit<AssistantFileColumn, 'commit'>
  }
}

const batchCharacters = 100_000
const batchPages = 20
/** Files that are named to people. */
const mostLeftOut = 100
const maximumBytes = 4 * 1024 * 1024

answerTasks<ParseThread>(parseTree)

async function parseTree(task: ParseTask, owner: Owner<ParseThread>): Promise<ParseThread['answer']> {
  const unnamed: TreeEntry[] = []
  const entries = await listTree(task.repository, task.commit, { onUnnamed: (entry) => unnamed.push(entry) })
  await using reader = await openBlobReader(task.repository, { maxBytes: maximumBytes })
  const files = await treeFiles(entries, reader)
  /** Files of the commit and descriptions on the web. */
  const versions = new Map([...files, ...task.remote])
  const unreadable = [...task.unreadable].filter(([path, oid]) => versions.get(path) === oid)
  for (const [path] of unreadable) {
    files.delete(path)
    versions.delete(path)
  }
  const reasons = new Map<string, string>()
  const reading = (path: string): void => owner.reading(`${versions.get(path) ?? ''} ${path}`)
  const readRemote = async (address: string): Promise<string | undefined> => {
    const reply = await owner.ask({ kind: 'remote', address })
    const isReadable = reply !== undefined && 'oid' in reply && task.unreadable.get(address) !== reply.oid
    const text = isReadable ? reply.content : undefined
    versions.set(address, isReadable ? reply.oid : '')
    reasons.set(address, isReadable ? reply.why : 'reading it takes too long')
    if (text !== undefined) reading(address)
    return text
  }
  const read = async (path: string): Promise<string | undefined> => {
    if (isRemote(path)) return readRemote(path)
    const oid = files.get(path)
    if (oid === undefined) return undefined
    reading(path)
    const blob = await reader.read(oid)
    const text = blob.state === 'read' ? decodeText(blob.content) : undefined
    if (text === undefined) reasons.set(path, unreadableReason(blob))
    return text
  }
  const site = await siteWithNames(read, { paths: [...files.keys()], root: task.root })
  const unlearned = fingerprintOf(task, {
    framework: site.framework,
    configuration: [...site.configPaths.map((path) => files.get(path) ?? ''), ...site.labelFolders],
  })
  const ids = learnedWith(task.fingerprint, unlearned) ?? (await linkedIds(site, read, reading))
  const fingerprint = withLearned(unlearned, ids)
  const rules = withIds(site, ids)
  const shared = new Set(site.collisions.flatMap(({ paths }) => paths))
  const known = await readKnown(owner)
  const isStale = (path: string): boolean => {
    const stored = known.get(path)
    return (
      fingerprint !== task.fingerprint ||
      stored?.oid !== files.get(path) ||
      !isCurrent(versions, stored?.included ?? {}) ||
      shared.has(path)
    )
  }
  const stale = site.pages.filter(isStale)
  const kept = new Set(site.pages)
  const urls = new Map<string, string>()
  for (const [path, { url }] of known) if (kept.has(path)) urls.set(url, path)
  for (const path of stale) {
    const before = known.get(path)
    if (before && urls.get(before.url) === path) urls.delete(before.url)
  }
  const descriptions = openDescriptions({
    site,
    files: versions,
    root: task.root,
    read,
    reading,
    whyMissing: (address) => reasons.get(address),
    known,
    isAlike: fingerprint === task.fingerprint,
  })
  let batch: ParsedPage[] = []
  let characters = 0
  const flush = async (done: number, total: number): Promise<void> => {
    if (batch.length > 0) await owner.ask({ kind: 'write', rows: packRows(batch), done, total })
    batch = []
    characters = 0
  }
  const put = async (page: ParsedPage, done: number, total: number): Promise<void> => {
    batch.push({ ...page, content: storableText(page.content) })
    characters += page.content.length * 2
    if (batch.length >= batchPages || characters >= batchCharacters) await flush(done, total)
  }
  const leftOut = leftOutEntries(site, entries, unnamed, files)
  const included = new Map(site.pages.map((path) => [path, known.get(path)?.included ?? {}]))
  const names = new Map(site.pages.map((path) => [path, known.get(path)?.names ?? {}]))
  for (const [index, path] of stale.entries()) {
    const oid = files.get(path)
    const source = await read(path)
    const whole = source === undefined ? undefined : await readWholePage(site, path, source, read)
    const operations = whole === undefined ? undefined : await descriptions.shownIn(path, textOfPage(whole))
    const content = whole === undefined ? '' : withOperations(textOfPage(whole), operations)
    if (oid !== undefined) reading(path)
    const page = whole === undefined ? undefined : parsePage(named(rules, operations?.title), path, content)
    if (oid === undefined || whole === undefined || page === undefined) {
      const message = reasons.get(path)
      if (oid !== undefined && message !== undefined) leftOut.push({ path, oid, message })
      kept.delete(path)
      included.delete(path)
      continue
    }
    // Front matter may claim an address that another page has.
    const holder = urls.get(page.url)
    const url = holder === undefined || holder === path ? page.url : site.fileUrl(path)
    urls.set(url, path)
    // A page that shows the title of another one is read again with it.
    const parents = [...whole.included, ...(whole.mentions ?? [])]
    const parts = Object.fromEntries(parents.map((file) => [file, files.get(file) ?? '']))
    const now = { ...parts, ...operations?.included }
    included.set(path, now)
    const own = namesIn(site, content)
    names.set(path, own)
    await put(
      { page: { ...page, url }, oid, included: now, names: own, content },
      index + 1,
      stale.length + 1,
    )
  }
  let done = stale.length
  for await (const { paths, parse } of descriptions.pages(included.values())) {
    for (const path of paths) kept.add(path)
    for (const page of parse((url) => urls.has(url))) await put(page, done++, done + 1)
  }
  await flush(done, done)
  owner.reading('the navigation')
  const navigationOf = async (named: ReadonlyMap<string, Record<string, unknown>>): Promise<string> => {
    const all = await createSite(read, {
      paths: files.keys(),
      root: task.root,
      names: new Map([...named].map(([path, data]) => [path, { data, labels: [] }])),
    })
    return packNavigation(all.pages.flatMap((path) => (kept.has(path) ? [entryOf(all, path)] : [])))
  }
  const removed = [...known.keys()].filter((path) => !kept.has(path))
  return {
    removed,
    remote: [...descriptions.remoteIn(included.values())],
    unreadable: unreadable.map(([path]) => path),
    leftOut: leftOut.slice(0, mostLeftOut),
    framework: site.framework,
    language: site.language,
    fingerprint,
    assistantFile: await readAssistantFile(task.root, files, read),
    navigation: await navigationOf(names),
    pageFolders:
      task.root === ''
        ? await listSites(read, files.keys())
        : kept.size === 0
          ? pageFolders((await createSite(read, { paths: files.keys(), root: '' })).pages)
          : [],
  }
}

async function readKnown(owner: Owner<ParseThread>): Promise<Map<string, KnownPage>> {
  const known = new Map<string, KnownPage>()
  for (let after = ''; ;) {
    const reply = await owner.ask({ kind: 'known', after })
    const some = Array.isArray(reply) ? reply : []
    for (const [path, page] of some) known.set(path, page)
    const last = some.at(-1)
    if (last === undefined) return known
    after = last[0]
  }
}

/** What the front matter of a page says that the site needs to know of all its pages. */
function namesIn({ needs }: Site, content: string): Record<string, unknown> {
  const { data } = readFrontMatter(content)
  const fields: Record<string, unknown> = {}
  for (const field of [...needs.fields, ...needs.shown]) if (field in data) fields[field] = plain(data[field])
  return JSON.stringify(fields).length > longestNames ? {} : fields
}

/** A value of front matter as it can be stored: texts, numbers, and lists and three levels of fields of them. */
function plain(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (value instanceof Date) return value.toISOString()
  if (depth > 3) return null
  if (Array.isArray(value)) return value.slice(0, 100).map((one) => plain(one, depth + 1))
  if (!isRecord(value)) return null
  const fields = Object.entries(value).filter(([key]) => /^\w{1,50}$/.test(key))
  return Object.fromEntries(fields.map(([key, own]) => [key, plain(own, depth + 1)]))
}

/** The site, where a page that shows an operation is named after that if it has no other name. */
function named(site: PageRules, title: string | undefined): PageRules {
  if (title === undefined) return site
  const { dialectOf } = site
  return {
    dialectOf,
    pageFor: (path, data) => {
      const page = site.pageFor(path, data)
      return page && { ...page, navTitle: page.navTitle ?? title }
    },
  }
}

/** The file of the content folder, or else that of the repository. */
async function readAssistantFile(
  root: string,
  files: ReadonlyMap<string, string>,
  read: (path: string) => Promise<string | undefined>,
): Promise<ParseThread['answer']['assistantFile']> {
  const path = [posix.join(root, guidanceFile), guidanceFile].find((one) => files.has(one))
  if (path === undefined) return { path: null, guidance: {}, problems: [] }
  const text = await read(path)
  if (text !== undefined) return { path, ...readGuidanceFile(text) }
  return { path, guidance: {}, problems: ['It is binary or over 4 MB, so nothing of it is used'] }
}

const longestNames = 5000

/** Labels are text of the repository. */
function entryOf(site: Site, path: string): NavigationEntry {
  const page = site.pageFor(path)
  const place = site.placeOf(path)
  const words = (text: string | undefined) =>
    storableText(text ?? '')
      .trim()
      .slice(0, 200)
  const label = words(place?.label ?? page?.navTitle)
  return {
    path: storableText(path),
    groups: place?.groups
      .map(words)
      .filter((name) => name !== '')
      .slice(0, 10),
    ...(label !== '' && { label }),
    ...(page?.inNavigation === false && { isOutside: true }),
  }
}

const mostFolders = 5

/** The folders at the top that hold pages, each as deep as all of its pages are; the fullest first. */
function pageFolders(pages: readonly string[]): PageFolder[] {
  const tops = Map.groupBy(pages, (path) => path.slice(0, path.indexOf('/') + 1))
  const folders = [...tops].map(([top, inside]) => ({
    folder: top === '' ? '' : commonFolder(inside),
    pages: top === '' ? pages.length : inside.length,
  }))
  return folders.sort((left, right) => right.pages - left.pages).slice(0, mostFolders)
}

function commonFolder([first = '', ...others]: readonly string[]): string {
  let folder = posix.dirname(first)
  while (!others.every((path) => path.startsWith(`${folder}/`))) folder = posix.dirname(folder)
  return folder
}
