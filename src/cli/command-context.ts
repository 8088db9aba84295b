import { resolve } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { projectAnswer } from '../nouns/projects/answers.ts'
import type { Answer } from './read-answer.ts'
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

export type CliProject = Answer<typeof projectAnswer>

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
    read: async (...request) => (await connectOnce()).read(...request),
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

export const projectList = z.array(projectAnswer)

/** The project with this domain or id; the only project when none is named. */
export async function resolveProject(
  context: Pick<CommandContext, 'read'>,
  name?: string,
): Promise<CliProject> {
  const projects = await context.read(projectList, 'GET', '/admin/projects')
  const named =
    name === undefined ? projects : projects.filter(({ id, domain }) => id === name || domain === name)
  const [project, second] = named
  if (!project)
    throw new AppError(
      'not_found',
      name === undefined
        ? 'No projects yet. Add one with "project add"'
        : `Project ${name} not found. Run "project list" to see all projects`,
    )
  if (second)
    throw new AppError(
      'invalid',
      `This server has several projects. Set --project to one of: ${named.map(({ domain }) => domain).join(', ')}`,
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
  readPage: (query: URLSearchParams) => Promise<Page>,
  query: URLSearchParams,
  asked: { limit: number; most: number; entriesOf(page: Page): unknown[] },
): Promise<Page> {
  const { limit, most, entriesOf } = asked
  const read = (left: number, after: Record<string, string>): Promise<Page> => {
    const wanted = { ...Object.fromEntries(query), limit: String(Math.min(most, left)), ...after }
    return readPage(new URLSearchParams(wanted))
  }
  const list = await read(limit, {})
  while (list.nextCursor !== null && entriesOf(list).length < limit) {
    const page = await read(limit - entriesOf(list).length, { cursor: list.nextCursor })
    entriesOf(list).push(...entriesOf(page))
    list.nextCursor = page.nextCursor
  }
  return list
}
