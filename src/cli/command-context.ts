import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Visibility } from '../features/projects/visibility.ts'
import { AppError } from '../lib/errors.ts'
import { connect, type ServerClient } from './server-client.ts'
import {
  createProgressLine,
  jsonText,
  printLines,
  type Lines,
  type ProgressLine,
  type Text,
} from './terminal-text.ts'

/** What every command shares. */
export interface CommandContext extends ServerClient {
  /** Prints the value for programs with `--json`, else the lines for people. */
  print(value: unknown, lines: () => Lines): void
  /** Prints a line for people on standard error, unless the output is for programs. */
  note(line: string | readonly Text[]): void
  /** Shows progress for people on standard error, unless the output is for programs. */
  progress(): ProgressLine
}

/** Where a project's repository lives, and what its credential may do. */
export interface CliHost {
  kind: string
  site: string
  path: string
  fork: string | null
  login: string | null
  credential: 'project' | 'server' | null
  /** Null when there is no credential, or when it cannot be decrypted. */
  credentialKind: 'token' | 'github_app' | null
  /** When the credential expires, if the host reports it. */
  expiresAt: string | null
  /** Null when the host did not report it. */
  defaultBranch: string | null
  webhook: { state: 'none' | 'active'; url: string | null; secret: string | null; calledAt: string | null }
  /** Why the host could not be asked. */
  problem: string | null
  /** What prevents jobs from running. */
  notes: string[]
}

export interface CliProject {
  id: string
  domain: string
  kind: 'path' | 'https'
  repository: string
  ref: string
  root: string
  pages: number
  site: string | null
  framework: string | null
  organization: string
  /** Who may read the pages that the server renders. */
  visibility: Visibility
  settings: Record<string, unknown>
  /** What the repository asks of the assistant. */
  assistantFile: {
    path: string
    commit: string
    instructions?: string
    starters?: string[]
    refuse?: string[]
    contact?: string
  } | null
  warnings: string[]
  sync: {
    state: 'pending' | 'syncing' | 'ready' | 'failed'
    progress: { phase: string; done: number; total: number | null } | null
    error: string | null
    commit: string | null
    at: string | null
    unreadable: { path: string; message: string }[]
    /** Why there is no page although the repository was read. */
    warning: string | null
    /** Where pages are, when the root holds none; an empty folder is the whole repository. */
    pageFolders: { folder: string; pages: number }[]
  }
  /** How far models are with the sections; null when none is to read them. */
  enrichment: {
    state: 'waiting' | 'running' | 'ready' | 'ceiling' | 'failed'
    done: number
    total: number
    error: string | null
    notice: string | null
    retryAt: string | null
  } | null
}

/**
 * Resolves a path relative to where the user ran the command: npm runs scripts in the package's folder and passes
 * on the original one.
 */
export function pathFromUser(path: string): string {
  const { INIT_CWD: calledFrom, npm_lifecycle_event: script } = process.env
  return resolve(script === 'docwright' && calledFrom !== undefined ? calledFrom : '.', path)
}

/** The context of one invocation, from the options of the command and of its parents. */
export function contextOf(command: Command, defaultData: string): CommandContext {
  const options: { data?: string; json?: boolean } = command.optsWithGlobals()
  let connected: Promise<ServerClient> | undefined
  const connectOnce = (): Promise<ServerClient> =>
    (connected ??= connect(options.data === undefined ? resolve(defaultData) : pathFromUser(options.data)))
  return {
    url: async () => (await connectOnce()).url(),
    request: async (...request) => (await connectOnce()).request(...request),
    json: async (...request) => (await connectOnce()).json(...request),
    print(value, lines) {
      const text = options.json === true ? jsonText(value) : printLines(lines(), process.stdout)
      process.stdout.write(`${text}\n`)
    },
    note(line) {
      // A line of others cannot look like several.
      if (options.json !== true)
        process.stderr.write(
          `${printLines([line], process.stderr).replaceAll(/(?<!\s)[^\S\n]*\n\s*/g, ' ')}\n`,
        )
    },
    progress: () =>
      options.json === true
        ? { show: () => undefined, end: () => undefined }
        : createProgressLine(process.stderr),
  }
}

/** The project with this domain or id; the only project when none is named. */
export async function resolveProject(
  context: Pick<CommandContext, 'json'>,
  name?: string,
): Promise<CliProject> {
  const projects = await context.json<CliProject[]>('GET', '/admin/projects')
  const found =
    name === undefined ? projects : projects.filter(({ id, domain }) => id === name || domain === name)
  const [project, second] = found
  if (!project)
    throw new AppError(
      'not_found',
      name === undefined
        ? 'There is no project yet; add one with "project add"'
        : `There is no project ${name}; see "project list"`,
    )
  if (second)
    throw new AppError(
      'invalid',
      `Name the project with --project: ${found.map(({ domain }) => domain).join(', ')}`,
    )
  return project
}

/**
 * Reads a list of the API until there are so many entries: a page that is searched for may be short, or empty, although
 * there are more.
 * @param asked.most how many the API gives at once
 * @returns the first page, with the entries of the others and the cursor of the last one
 */
export async function readList<Page extends { nextCursor: string | null }>(
  { json }: Pick<CommandContext, 'json'>,
  path: string,
  query: URLSearchParams,
  asked: { limit: number; most: number; entriesOf(page: Page): unknown[] },
): Promise<Page> {
  const { limit, most, entriesOf } = asked
  const read = (left: number, after: Record<string, string>): Promise<Page> => {
    const wanted = { ...Object.fromEntries(query), limit: String(Math.min(most, left)), ...after }
    return json<Page>('GET', `${path}?${new URLSearchParams(wanted).toString()}`)
  }
  const list = await read(limit, {})
  while (list.nextCursor !== null && entriesOf(list).length < limit) {
    const page = await read(limit - entriesOf(list).length, { cursor: list.nextCursor })
    entriesOf(list).push(...entriesOf(page))
    list.nextCursor = page.nextCursor
  }
  return list
}
