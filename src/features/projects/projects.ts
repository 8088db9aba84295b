import { setImmediate } from 'node:timers/promises'
import { sql, type Selectable } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { json, type Reader, type Store, type Tx } from '../../store/database.ts'
import type { ApprovalColumn } from '../../store/columns.ts'
import type { Tables } from '../../store/tables.ts'
import { readEnrichment, type EnrichmentState } from './enrichment.ts'
import { parseGiven, projectSettings, readSettings, type ProjectSettings } from './settings/schemas.ts'
import type { Guidance } from '../../site/guidance.ts'
import type { Visibility } from './visibility.ts'
import type { Repository } from '../../integrations/git/git.ts'

/** One documentation repository, its content folder and the state of its index. */
export interface Project {
  id: string
  organizationId: string
  /** Its name in URLs; unique on the server. */
  domain: string
  /** `path`: a folder on this server. `https`: another git host. */
  kind: 'path' | 'https'
  isDemo: boolean
  /** Real path, or URL without credentials. */
  location: string
  /** The branch that the docs are read from and that jobs start from. */
  ref: string
  /** Whether the project follows the repository's default branch, because no branch was given. */
  followsDefault: boolean
  /** Branches that were read before. */
  formerRefs: readonly string[]
  /** Content folder, `''` for the whole repository. */
  root: string
  framework: string | undefined
  /** The language of pages that have none of their own, where the site names one. */
  language: string | undefined
  settings: ProjectSettings
  /** Prefixes that branches of its jobs had before. */
  formerBranchPrefixes: readonly string[]
  /** The branch of the repository that is, or may be, in the way of branches of jobs. */
  blockingBranch: string | undefined
  sync: SyncState
  /** What the repository asks of the assistant; undefined where it has no file for that. */
  assistantFile: { path: string; commit: string; guidance: Guidance } | undefined
  /** How far models are with its sections; undefined where none is to read them. */
  enrichment: EnrichmentState | undefined
  /** Incremented with every change of the stored pages. */
  generation: number
  pageCount: number
  createdAt: Date
}

interface SyncState {
  state: 'pending' | 'syncing' | 'ready' | 'failed'
  /** `bytes` of a fetch, where git tells them. */
  progress: { phase: string; done: number; total: number | null; bytes?: number } | undefined
  error: string | undefined
  commit: string | undefined
  at: Date | undefined
  /** Files that are left out of the index, and what is left out of the assistant's file, each with the reason. */
  unreadable: { path: string; message: string }[]
  /** Why there is no page although the repository was read, and what to do. */
  warning: string | undefined
  /** Where pages are, when the content folder holds none; `''` is the whole repository. */
  pageFolders: { folder: string; pages: number }[]
}

export interface NewProject {
  organizationId: string
  domain: string
  kind: Project['kind']
  isDemo?: boolean
  location: string
  ref: string
  followsDefault?: boolean
  root: string
  site?: string | undefined
  /** By default, only people who are signed in. */
  visibility?: Visibility | undefined
  blockingBranch?: string | undefined
}

/** @throws AppError `conflict` when the domain is taken. */
export async function insertProject(tx: Tx, project: NewProject): Promise<Project> {
  const row = await tx
    .insertInto('projects')
    .values({
      id: newId('prj'),
      organization_id: project.organizationId,
      domain: project.domain,
      kind: project.kind,
      is_demo: project.isDemo ?? false,
      location: project.location,
      ref: project.ref,
      follows_default: project.followsDefault ?? false,
      root: project.root,
      settings: json({ visibility: project.visibility, site: project.site }),
      blocking_branch: project.blockingBranch ?? null,
      sync_progress: json(null),
    })
    .onConflict((conflict) => conflict.column('domain').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new AppError('conflict', `The domain "${project.domain}" is taken; choose another`)
  return projectOf(row)
}

export async function findProject(db: Reader, id: string): Promise<Project | undefined> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
  return row && projectOf(row)
}

export async function findProjectByDomain(db: Reader, domain: string): Promise<Project | undefined> {
  const row = await db.selectFrom('projects').selectAll().where('domain', '=', domain).executeTakeFirst()
  return row && projectOf(row)
}

/** Oldest first; of some organizations when they are given. */
export async function listProjects(db: Reader, organizationIds?: readonly string[]): Promise<Project[]> {
  if (organizationIds?.length === 0) return []
  let query = db.selectFrom('projects').selectAll().orderBy('created_at')
  if (organizationIds !== undefined) query = query.where('organization_id', 'in', organizationIds)
  return (await query.execute()).map(projectOf)
}

/** Those that exist, oldest first. */
export async function findProjects(db: Reader, ids: readonly string[]): Promise<Project[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('projects')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('created_at')
    .execute()
  return rows.map(projectOf)
}

/**
 * Changes where a project's repository is and which branch and folder are read. The former branch is remembered.
 * @param following change it only if the project still follows the default branch and reads this one
 */
export async function moveProject(
  tx: Tx,
  id: string,
  {
    location,
    ref,
    followsDefault,
    root,
  }: Pick<Project, 'location' | 'ref' | 'followsDefault'> & Partial<Pick<Project, 'root'>>,
  following?: string,
): Promise<void> {
  const row = await tx
    .selectFrom('projects')
    .select(['ref', 'former_refs', 'follows_default'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return
  if (following !== undefined && (row.ref !== following || !row.follows_default)) return
  const former = row.ref === ref ? row.former_refs : [...row.former_refs, row.ref]
  const kept = [...new Set(former)].filter((name) => name !== ref).slice(-mostFormerRefs)
  await tx
    .updateTable('projects')
    .set({ location, ref, follows_default: followsDefault, former_refs: json(kept), root })
    .where('id', '=', id)
    .execute()
}

const mostFormerRefs = 20

/** Remembers the prefix that branches of jobs had until now, and what is in the way of the new one. */
export async function movePrefix(
  tx: Tx,
  id: string,
  { former, blocking }: { former: string; blocking: string | undefined },
): Promise<void> {
  const row = await tx
    .selectFrom('projects')
    .select('former_branch_prefixes')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return
  const kept = [...new Set([...row.former_branch_prefixes, former])].slice(-mostFormerRefs)
  await tx
    .updateTable('projects')
    .set({ former_branch_prefixes: json(kept), blocking_branch: blocking ?? null })
    .where('id', '=', id)
    .execute()
}

/** Records the branch that is in the way of branches of jobs; writes nothing when it is known. */
export async function noteBlockingBranch(
  store: Store,
  { id, blockingBranch }: Project,
  blocking: string | undefined,
): Promise<void> {
  if (blocking === blockingBranch) return
  await store.transaction((tx) =>
    tx
      .updateTable('projects')
      .set({ blocking_branch: blocking ?? null })
      .where('id', '=', id)
      .execute(),
  )
}

/** Removes the project with all that belongs to it: jobs, pages, threads, keys. */
export async function deleteProject(store: Store, id: string): Promise<void> {
  // Deleting thousands of rows in one statement would block everything else on the embedded store.
  const tables = [
    ['pages', 'path'],
    ['section_vectors', 'hash'],
    ['section_questions', 'hash'],
  ] as const
  for (const [table, key] of tables)
    for (let more = true; more;) {
      const { rows } = await store.transaction((tx) =>
        sql`
          delete from ${sql.table(table)} where project_id = ${id} and ${sql.ref(key)} in
            (select ${sql.ref(key)} from ${sql.table(table)} where project_id = ${id} limit ${rowsAtOnce})
          returning 1
        `.execute(tx),
      )
      more = rows.length >= rowsAtOnce
      await setImmediate()
    }
  await store.transaction((tx) => tx.deleteFrom('projects').where('id', '=', id).execute())
}

const rowsAtOnce = 200

export function projectOf(row: Selectable<Tables['projects']>): Project {
  const settings = readSettings(row.settings)
  const file = row.assistant_file
  return {
    id: row.id,
    organizationId: row.organization_id,
    domain: row.domain,
    kind: row.kind,
    isDemo: row.is_demo,
    location: row.location,
    ref: row.ref,
    followsDefault: row.follows_default,
    formerRefs: row.former_refs,
    root: row.root,
    framework: row.framework ?? undefined,
    language: row.language ?? undefined,
    settings,
    formerBranchPrefixes: row.former_branch_prefixes,
    blockingBranch: row.blocking_branch ?? undefined,
    sync: {
      state: row.sync_state,
      progress: row.sync_progress ?? undefined,
      error: row.sync_error ?? undefined,
      commit: row.synced_commit ?? undefined,
      at: row.synced_at ?? undefined,
      unreadable: [
        ...row.unreadable_files.map(({ path, message }) => ({ path, message })),
        ...(file?.problems ?? []).map((message) => ({ path: file?.path ?? '', message })),
      ],
      warning: row.sync_state === 'ready' && row.page_count === 0 ? missingPages(row) : undefined,
      pageFolders: row.page_folders,
    },
    enrichment: readEnrichment(row, settings),
    assistantFile:
      file?.path == null ? undefined : { path: file.path, commit: file.commit, guidance: file.guidance },
    generation: row.generation,
    pageCount: row.page_count,
    createdAt: row.created_at,
  }
}

function missingPages({
  ref,
  root,
  framework,
  page_folders: folders,
}: Selectable<Tables['projects']>): string {
  const [first] = folders
  const where = root === '' ? `the branch ${ref}` : `the folder ${root} of the branch ${ref}`
  if (framework === 'antora' && !first)
    return `No page was found: ${where} is a site of Antora in AsciiDoc, and only pages in Markdown (.md) are read. Set another branch, or a folder next to the site as the docs folder`
  if (!first)
    return `No page was found: ${where} has no Markdown file (.md, .mdx) that is a page. Push one, or set another branch`
  const some = folders.map(({ folder, pages }) => `${folder || 'the whole repository'} (${pages})`).join(', ')
  return `No page was found in ${where}. Pages are in: ${some}. Set one of these as its docs folder`
}

/** The name of the server of the Model Context Protocol for jobs. Those for documentations have domains as names. */
export const jobServerName = 'docwright.jobs'

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domainForm = new RegExp(String.raw`^${label}(?:\.${label})*$`)
const longestDomain = 253

/**
 * Checks what is to name a project in addresses.
 * @throws AppError `invalid` that says what to choose instead
 */
export function requireDomain(domain: string): void {
  if (domain.length > longestDomain || !domainForm.test(domain))
    throw new AppError(
      'invalid',
      'The domain can contain a to z, 0 to 9, and hyphens and dots inside, with at most 63 characters between dots. Choose one such as docs.example.com',
    )
  // Addresses of repositories end in it: /git/{domain}.git.
  if (domain.endsWith('.git') || domain === jobServerName)
    throw new AppError('invalid', `The domain ${domain} is reserved. Choose another`)
}

/** The mirror of a project, with these commits unless the host no longer has them. */
export type OpenMirror = (
  project: Project,
  commits?: readonly string[],
  options?: { fresh?: boolean },
) => Promise<Repository>

/** A text by the id of each project that changes with its row: its settings, and how far its pages are read. */
export async function readProjectVersions(
  reader: Reader,
  projectIds: readonly string[],
): Promise<Map<string, string>> {
  if (projectIds.length === 0) return new Map()
  const rows = await reader
    .selectFrom('projects')
    // The transaction that wrote the row last.
    .select(['id', sql<string>`projects.xmin::text`.as('version')])
    .where('id', 'in', projectIds)
    .execute()
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** A text by the id of each organization that changes when a project of it is added, removed or changed. */
export async function readOrganizationVersions(
  reader: Reader,
  organizationIds: readonly string[],
): Promise<Map<string, string>> {
  if (organizationIds.length === 0) return new Map()
  const rows = await reader
    .selectFrom('projects')
    .select([
      'organization_id as id',
      sql<string>`md5(string_agg(projects.xmin::text, ',' order by projects.id))`.as('version'),
    ])
    .where('organization_id', 'in', organizationIds)
    .groupBy('organization_id')
    .execute()
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/**
 * Applies the changes that `change` returns for the present settings; null removes a setting.
 * @returns the new settings
 */
export async function updateSettings(
  tx: Tx,
  projectId: string,
  change: (before: ProjectSettings) => { [Name in keyof ProjectSettings]: ProjectSettings[Name] | null },
): Promise<ProjectSettings> {
  const row = await tx
    .selectFrom('projects')
    .select('settings')
    .where('id', '=', projectId)
    .forUpdate()
    .executeTakeFirst()
  const before = readSettings(row?.settings)
  const merged = { ...before, ...change(before) }
  const kept = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined)
  const settings = projectSettings.parse(Object.fromEntries(kept))
  await tx
    .updateTable('projects')
    .set({ settings: json(settings) })
    .where('id', '=', projectId)
    .execute()
  return settings
}

const allowedSettings = { host: 'allowedHosts', import: 'allowedImports', part: 'allowedParts' } as const

/** Adds a host, a module or a part to those that pages of the project may have. */
export async function allowAlways(tx: Tx, projectId: string, { kind, value }: ApprovalColumn): Promise<void> {
  const name = allowedSettings[kind]
  await updateSettings(tx, projectId, (before) => ({
    [name]: parseGiven(projectSettings.shape[name], [...new Set([...(before[name] ?? []), value])]),
  }))
}
