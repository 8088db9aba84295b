import { jsonSchema, tool, type ToolSet } from 'ai'
import type { JobProject } from '../../features/agent/job-project.ts'
import { treeDifferences } from '../../features/agent/workspace/tree-differences.ts'
import type { OpenToolbox, Toolbox } from '../../features/agent/workspace/toolbox.ts'
import { describeTools } from '../../features/agent/tools/create-tools.ts'
import { describeCall } from '../../features/agent/tools/calls/describe-call.ts'
import { readInput } from '../../features/agent/tools/calls/read-input.ts'
import { shownSchema } from '../../features/agent/tools/calls/shown-schema.ts'
import { ReadRecord } from '../../features/agent/tools/calls/read-record.ts'
import type { Workspace } from '../../features/agent/workspace/workspace.ts'
import { searchDocs, whenIndexed } from '../../features/docs/search-docs.ts'
import { findProject } from '../../features/projects/projects.ts'
import { linterPrograms } from '../../integrations/linters/linter-programs.ts'
import { ThreadFailure, type ThreadOptions } from '../../lib/threads/text-thread.ts'
import { sourceFileOf } from '../../site/openapi/operation-pages.ts'
import type { CheckColumn, ViolationColumn } from '../../store/columns.ts'
import type { Services } from '../services.ts'
import { answerThread } from './answer-thread.ts'
import { type SessionState, type ToolboxAnswer, type Work, packList } from './thread-tasks.ts'
import { createToolboxThreads } from './threads.ts'
import { TooMuch, createTooMuch } from './too-much.ts'
import { keepNewest } from '../../lib/keep-newest.ts'

/** Milliseconds of a thread for one thing that is asked of it, however many texts that takes. */
const total = 180_000
let lastSession = 0

/**
 * The tools of a turn. All that reads the repository's texts happens in a thread; here is the workspace that counts, which
 * takes what a call has changed or, when the call failed or took too long, nothing.
 */
export function createOpenToolbox(
  { store, indexes, git }: Pick<Services, 'store' | 'indexes' | 'git'>,
  options: Partial<ThreadOptions> = {},
): OpenToolbox {
  const threads = createToolboxThreads(new URL('toolbox.worker.ts', import.meta.url), options)
  const textsOf = createTooMuch()
  const linters = linterPrograms(git.environment['PATH'] ?? '')
  const search = async (projectId: string, query: string, limit: number) => {
    const project = await findProject(store.db, projectId)
    if (!project) return []
    const request = { query, limit, longest: 4000 }
    const result = await whenIndexed(searchDocs(indexes, project, request, { isPatient: true }))
    return result?.hits.map((hit) => ({ ...hit, path: sourceFileOf(hit.path) }))
  }
  return async ({ project, workspace, request, ignores, calls, unpublished = [], hasConflicts = false }) => {
    const session = ++lastSession
    const texts = textsOf(project.id)
    const reads = new ReadRecord()
    for (const { name, output } of calls) reads.recordResult(name, output)
    const ports = { linters, search: (query: string, limit: number) => search(project.id, query, limit) }
    const answer = answerThread(ports, project, workspace)
    let version = 0
    let isFirst = true
    const attempt = (work: Work, signal: AbortSignal): Promise<ToolboxAnswer> =>
      threads.use(project.id, async (thread) => {
        const task = { kind: 'work', session, version, work } as const
        const options = { signal, total, answer: answer(signal) }
        const answered = await thread.run(task, options)
        if (answered.kind !== 'unknown') return answered
        return thread.run(
          {
            ...task,
            state: await stateOf(project, workspace, { request, ignores, reads, texts, unpublished }),
          },
          options,
        )
      })
    const ask = async <Kind extends Work['kind']>(
      work: Extract<Work, { kind: Kind }>,
      signal: AbortSignal,
    ): Promise<Extract<ToolboxAnswer, { kind: Kind }>> => {
      const began = performance.now()
      for (;;) {
        try {
          const answered = await attempt(work, signal)
          return answered as Extract<ToolboxAnswer, { kind: Kind }>
        } catch (error) {
          if (!(error instanceof ThreadFailure)) throw error
          if (performance.now() - began > total) throw new TooMuch('')
          texts.note(error)
          version++
        }
      }
    }
    // While the model thinks.
    const started = threads.use(project.id, (thread) => thread.run({ kind: 'start' }))
    started.catch(() => undefined)
    return {
      ...toolSet(project, hasConflicts),
      describe: describeCall,
      beginAnswer: () => {
        isFirst = true
        reads.beginAnswer()
      },
      async call(name, input, signal) {
        try {
          const { output, changes } = await ask({ kind: 'call', name, input, isFirst }, signal)
          isFirst = false
          workspace.take(changes)
          reads.recordResult(name, output)
          version++
          return output
        } catch (error) {
          const { message } = requireTooMuch(error)
          return {
            error: { code: 'too_complex', message: `${message}: do it in smaller parts, or leave it` },
          }
        }
      },
      newProblems: async (signal) => {
        try {
          return (await ask({ kind: 'problems' }, signal)).problems
        } catch (error) {
          return [unchecked(requireTooMuch(error))]
        }
      },
      overview: async (signal) => {
        try {
          return (await ask({ kind: 'overview' }, signal)).text
        } catch (error) {
          requireTooMuch(error)
          return undefined
        }
      },
      newHosts: async (signal) => {
        try {
          return (await ask({ kind: 'hosts' }, signal)).sentences
        } catch (error) {
          requireTooMuch(error)
          return ['more.than.can.be.read']
        }
      },
      unproven: async (said, signal) => {
        try {
          return (await ask({ kind: 'claims', ...said }, signal)).claims
        } catch (error) {
          requireTooMuch(error)
          return []
        }
      },
      violations: async (signal) => {
        try {
          return (await ask({ kind: 'violations' }, signal)).violations
        } catch (error) {
          return [unjudged(requireTooMuch(error))]
        }
      },
      violationsOfTree: async ({ from, tree, since }, signal) => {
        const differences = await treeDifferences(project.repository, from, tree, signal)
        const shrinks = differences.some(({ before, after }) => (after?.length ?? 0) < (before?.length ?? 0))
        const whole =
          since === undefined || since === from || !shrinks
            ? undefined
            : await treeDifferences(project.repository, since, tree, signal)
        try {
          return (await ask({ kind: 'tree', differences, whole }, signal)).violations
        } catch (error) {
          return [unjudged(requireTooMuch(error))]
        }
      },
      [Symbol.dispose]: () => {
        const closed = threads.use(project.id, (thread) => thread.run({ kind: 'close', session }))
        closed.catch(() => undefined)
      },
    }
  }
}

async function stateOf(
  { root, settings }: JobProject,
  workspace: Workspace,
  {
    request,
    ignores,
    reads,
    texts,
    unpublished,
  }: Pick<SessionState, 'request' | 'ignores'> & {
    reads: ReadRecord
    texts: { keys(): string[] }
    unpublished: readonly string[]
  },
): Promise<SessionState> {
  return {
    root,
    allow: settings.allow,
    protect: settings.protect,
    allowedHosts: settings.allowedHosts,
    allowedImports: settings.allowedImports,
    allowedParts: settings.allowedParts,
    strict: settings.strict,
    contextRepositories: settings.contextRepositories.map(({ name }) => name),
    request,
    ignores,
    files: packList(await workspace.baseTree.listFiles()),
    overlay: workspace.changes(),
    reads: reads.all(),
    tooMuch: texts.keys(),
    unpublished,
  }
}

// Making JSON Schema of them takes longer than any other part of a call of the built-in model.
const toolSets = new Map<string, Pick<Toolbox, 'tools' | 'changesFiles'>>()
const mostToolSets = 100

function toolSet({ settings }: JobProject, hasConflicts: boolean): Pick<Toolbox, 'tools' | 'changesFiles'> {
  const names = settings.contextRepositories.map(({ name }) => name)
  const key = JSON.stringify([names, hasConflicts])
  const known = toolSets.get(key)
  if (known !== undefined) return known
  const all = describeTools(names)
  const described = all.filter(({ name }) => name !== toolLeftOut(hasConflicts))
  const tools: ToolSet = Object.fromEntries(
    described.map(({ name, description, inputSchema }) => [
      name,
      tool({
        description,
        // What a model makes of the schema is read by ours, which the journal keeps.
        inputSchema: jsonSchema(shownSchema(inputSchema), {
          validate: (value) => ({ success: true, value: readInput(inputSchema, value) }),
        }),
      }),
    ]),
  )
  const reading = new Set(described.flatMap(({ name, changesFiles }) => (changesFiles ? [] : name)))
  const set = { tools, changesFiles: (name: string) => !reading.has(name) }
  keepNewest(toolSets, mostToolSets, key, set)
  return set
}

/** Each call pays for all descriptions, so that a tool for conflicts is only offered where there are some, and in place of another. */
export function toolLeftOut(hasConflicts: boolean): string {
  return hasConflicts ? 'copy_page' : 'resolve_conflict'
}

function requireTooMuch(error: unknown): TooMuch {
  if (error instanceof TooMuch) return error
  throw error
}

function unjudged({ path }: TooMuch): ViolationColumn {
  const message =
    path === ''
      ? 'It takes too long to judge what the changes do: make fewer of them in one job'
      : 'It takes too long to judge what it does: make it shorter or less nested'
  return { path, line: null, message }
}

function unchecked({ path }: TooMuch): CheckColumn {
  const message = 'It takes too long to check the changes, so they were not checked'
  const hint = 'Make it shorter or less nested, or make the changes in several jobs'
  return { check: 'mdx', severity: 'error', path, line: null, message, hint }
}
