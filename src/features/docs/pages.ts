import { setImmediate } from 'node:timers/promises'
import { sql, type Selectable } from 'kysely'
import type { Reader, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import type { Page } from '../../site/pages/page.ts'
import { readPageName } from '../../site/pages/page-name.ts'

/** A page with its source, as a sync found it. */
export interface ParsedPage {
  page: Page
  /** Git's id of the file. */
  oid: string
  /** The files that it names as parts of its text, with git's ids of them; `''` for one that is missing. */
  included: Record<string, string>
  /** What its front matter says that the order and the addresses of other pages depend on. */
  names?: Record<string, unknown>
  /** The file's text, with the texts of those files. */
  content: string
}

/** What a sync compares a page with. */
export interface KnownPage {
  oid: string
  url: string
  included: Record<string, string>
  names: Record<string, unknown>
}

/** A page as it is read and shown. */
export interface StoredPage {
  path: string
  url: string
  title: string
  description: string | undefined
  language: string | undefined
  version: string | undefined
  /** See Page. */
  groups: string[]
  sections: Page['sections']
  /** Whether its front matter keeps it out of lists and search. */
  hidden: boolean
  /** Markdown or MDX source, with the texts of the files that it includes. */
  content: string
}

/**
 * Pages as the rows that they will be, in one text: a thread can make it, and whoever passes it on has nothing to copy
 * piece by piece. `''` for none.
 */
export function packRows(pages: readonly ParsedPage[]): string {
  if (pages.length === 0) return ''
  const rows = pages.map(({ page, oid, included, names = {}, content }) => ({
    path: page.path,
    oid,
    included,
    url: page.url,
    title: page.title,
    description: page.description ?? null,
    language: page.language ?? null,
    version: page.version ?? null,
    groups: page.groups,
    tags: page.tags ?? [],
    names,
    sections: page.sections,
    content,
    hidden: page.hidden ?? false,
  }))
  return JSON.stringify(rows)
}

/** Writes pages and raises the project's generation, so that a reader sees both or none. */
export async function writePages(
  tx: Tx,
  projectId: string,
  pages: readonly ParsedPage[],
  removed: string[],
): Promise<void> {
  await writeRows(tx, projectId, packRows(pages), removed)
}

/** The same with pages that `packRows` has packed. */
export async function writeRows(tx: Tx, projectId: string, packed: string, removed: string[]): Promise<void> {
  const { generation } = await tx
    .updateTable('projects')
    .set({ generation: sql<number>`generation + 1` })
    .where('id', '=', projectId)
    .returning('generation')
    .executeTakeFirstOrThrow()
  if (removed.length > 0)
    await sql`
      delete from pages where project_id = ${projectId}
        and path in (select jsonb_array_elements_text(${JSON.stringify(removed)}::jsonb))
    `.execute(tx)
  if (packed === '') return
  // One parameter for the whole batch: a statement of a thousand parameters takes longer to plan than to run.
  await sql`
    insert into pages (project_id, generation, path, oid, included, url, title, description, language, version, groups, tags, names, sections, content, hidden)
    select ${projectId}, ${generation}::bigint, r.path, r.oid, r.included, r.url, r.title, r.description, r.language, r.version,
      r.groups, r.tags, r.names, r.sections, r.content, r.hidden
    from jsonb_to_recordset(${packed}::jsonb) as r(path text, oid text, included jsonb, url text, title text,
      description text, language text, version text, groups jsonb, tags jsonb, names jsonb, sections jsonb, content text, hidden boolean)
    on conflict (project_id, path) do update set generation = excluded.generation, oid = excluded.oid,
      included = excluded.included, url = excluded.url,
      title = excluded.title, description = excluded.description, language = excluded.language,
      version = excluded.version, groups = excluded.groups, tags = excluded.tags, names = excluded.names, sections = excluded.sections, content = excluded.content,
      hidden = excluded.hidden
  `.execute(tx)
}

/** The stored file ids and addresses by path, for a sync to compare with: some of those that come after a path. */
export async function knownPages(
  db: Reader,
  projectId: string,
  after: string,
): Promise<[path: string, page: KnownPage][]> {
  const rows = await db
    .selectFrom('pages')
    .select(['path', 'oid', 'url', 'included', 'names'])
    .where('project_id', '=', projectId)
    .where('path', '>', after)
    .orderBy('path')
    .limit(window)
    .execute()
  return rows.map(({ path, ...known }) => [path, known])
}

/** Git's ids of the pages' files, by path. */
export async function revisionsOf(
  db: Reader,
  projectId: string,
  paths: string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('pages')
    .select(['path', 'oid'])
    .where('project_id', '=', projectId)
    .where('path', 'in', paths)
    .execute()
  return new Map(rows.map(({ path, oid }) => [path, oid]))
}

/** Paths of the pages that can be found and were written after a generation; 0 for all. */
export async function pathsSince(db: Reader, projectId: string, generation: number): Promise<string[]> {
  const rows = await inWindows((after) =>
    db
      .selectFrom('pages')
      .select('path')
      .where('project_id', '=', projectId)
      .where('hidden', '=', false)
      .where('generation', '>', generation)
      .where('path', '>', after)
      .orderBy('path')
      .limit(window)
      .execute(),
  )
  return rows.map(({ path }) => path)
}

/** How many pages can be found. */
export async function countPages(db: Reader, projectId: string): Promise<number> {
  const { count } = await db
    .selectFrom('pages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('hidden', '=', false)
    .executeTakeFirstOrThrow()
  return count
}

// The embedded store unpacks an answer in one go and blocks the main thread meanwhile.
const window = 1000

async function inWindows<Row extends { path: string }>(
  read: (after: string) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const some = await read(rows.at(-1)?.path ?? '')
    rows.push(...some)
    if (some.length < window) return rows
    await setImmediate()
  }
}

/** A page for the index whose sections are not read yet: those of a large page are tens of thousands. */
export interface PackedPage extends Omit<Page, 'sections' | 'hidden'> {
  /** JSON. */
  sections: string
}

/** Pages for the index, in the order of their paths; those removed since are left out. */
export async function readPackedPages(
  db: Reader,
  projectId: string,
  paths: readonly string[],
): Promise<PackedPage[]> {
  if (paths.length === 0) return []
  const rows = await db
    .selectFrom('pages')
    .select(['path', 'url', 'title', 'description', 'language', 'version', 'groups', 'tags'])
    .select(sql<string>`sections::text`.as('sections'))
    .where('project_id', '=', projectId)
    .where('path', 'in', paths)
    .orderBy('path')
    .execute()
  return rows.map((row) => ({
    ...row,
    description: row.description ?? undefined,
    language: row.language ?? undefined,
    version: row.version ?? undefined,
  }))
}

export function packPage({ sections, hidden: _hidden, ...page }: Page): PackedPage {
  return { ...page, sections: JSON.stringify(sections) }
}

export function unpackPage({ sections, ...page }: PackedPage): Page {
  const parsed: { headings: string[]; anchor?: string | null; text: string }[] = JSON.parse(sections)
  return {
    ...page,
    sections: parsed.map(({ headings, anchor, text }) => ({ headings, anchor: anchor ?? undefined, text })),
  }
}

export async function readPages(db: Reader, projectId: string, paths: readonly string[]): Promise<Page[]> {
  return (await readPackedPages(db, projectId, paths)).map(unpackPage)
}

/** What lists show of a page. */
export type ListedPage = Omit<StoredPage, 'groups' | 'sections' | 'hidden' | 'content'>

/** Titles of up to 50 pages that every reader sees, in the language that most pages have, from folders nearest to the root on. */
export async function someTitles(db: Reader, projectId: string): Promise<string[]> {
  const isListed = sql`project_id = ${projectId} and not hidden and groups = '[]'`
  const { rows } = await sql<{ title: string }>`
    select title from pages where ${isListed} and title <> '' and language is not distinct from
      (select language from pages where ${isListed} group by language order by count(*) desc, language limit 1)
    order by length(path) - length(replace(path, '/', '')), path limit 50
  `.execute(db)
  return rows.map(({ title }) => title)
}

/** Every page that is not hidden, by path. */
export async function listPages(db: Reader, projectId: string): Promise<ListedPage[]> {
  const rows = await db
    .selectFrom('pages')
    .select(['path', 'url', 'title', 'description', 'language', 'version'])
    .where('project_id', '=', projectId)
    .where('hidden', '=', false)
    .orderBy('path')
    .execute()
  return rows.map((row) => ({
    ...row,
    description: row.description ?? undefined,
    language: row.language ?? undefined,
    version: row.version ?? undefined,
  }))
}

/**
 * The page that a name means: its slug, file or address, as people write them (see readPageName).
 * @param sites addresses below which the project's pages are
 */
export async function findPage(
  db: Reader,
  projectId: string,
  name: string,
  sites: readonly string[] = [],
): Promise<StoredPage | undefined> {
  const names = readPageName(name, sites)
  if (names.length === 0) return undefined
  const urls = names.flatMap((one) => ('url' in one ? one.url : []))
  const paths = names.flatMap((one) => ('path' in one ? one.path : []))
  const rows = await db
    .selectFrom('pages')
    .selectAll()
    .where('project_id', '=', projectId)
    .where((is) => is.or([is('url', 'in', urls), is('path', 'in', paths)]))
    .orderBy('path')
    .execute()
  for (const one of names) {
    const row = rows.find((page) => ('url' in one ? page.url === one.url : page.path === one.path))
    if (row) return storedPageOf(row)
  }
  return undefined
}

const longestDescription = 500

/** The descriptions of the pages that have one, by path, each cut to 500 characters. */
export async function descriptionsOf(
  db: Reader,
  projectId: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map()
  const rows = await db
    .selectFrom('pages')
    .select(['path', sql<string>`left(description, ${longestDescription}::int)`.as('description')])
    .where('project_id', '=', projectId)
    .where('path', 'in', [...paths])
    .where('description', 'is not', null)
    .execute()
  return new Map(rows.map(({ path, description }) => [path, description]))
}

/** Pages with their content, in the order of `paths`; those removed since are left out. */
export async function readStoredPages(
  db: Reader,
  projectId: string,
  paths: readonly string[],
): Promise<StoredPage[]> {
  const rows = await db
    .selectFrom('pages')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('path', 'in', paths)
    .execute()
  const pages = new Map(rows.map((row) => [row.path, storedPageOf(row)]))
  return paths.flatMap((path) => pages.get(path) ?? [])
}

function storedPageOf(row: Selectable<Tables['pages']>): StoredPage {
  return {
    path: row.path,
    url: row.url,
    title: row.title,
    description: row.description ?? undefined,
    language: row.language ?? undefined,
    version: row.version ?? undefined,
    groups: row.groups,
    sections: row.sections.map(({ headings, anchor, text }) => ({
      headings,
      anchor: anchor ?? undefined,
      text,
    })),
    hidden: row.hidden,
    content: row.content,
  }
}

const longest = 10_000

/** Paths of the pages that a text names by path, address or title, at most `limit`. A title of one short word is not a name. */
export async function namedPages(
  reader: Reader,
  projectId: string,
  text: string,
  limit: number,
): Promise<string[]> {
  const lowerCased = text.slice(0, longest).toWellFormed().replaceAll('\0', ' ').toLowerCase()
  const { rows } = await sql<{ path: string }>`
    select path from pages
    where project_id = ${projectId} and (
      position(lower(path) in ${lowerCased}) > 0
      or (length(url) > 3 and position(lower(url) in ${lowerCased}) > 0)
      or (length(title) > 5 and position(lower(title) in ${lowerCased}) > 0)
    )
    order by length(path) desc, path
    limit ${limit}
  `.execute(reader)
  return rows.map(({ path }) => path)
}
