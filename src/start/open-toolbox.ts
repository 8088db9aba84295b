import { tool } from 'ai'
import type { ToolSet } from 'ai'
import { changeProblems, newProblems } from '../features/agent/checks/new-problems.ts'
import type { Problem } from '../features/agent/checks/problem.ts'
import { FactsCache, SiteView } from '../features/agent/checks/site-view.ts'
import { createTextWorker } from '../features/agent/checks/text-worker.ts'
import { contextRepository } from '../features/agent/workspace/context-repository.ts'
import { type WriteScope, checkChanges } from '../features/agent/policy/check-changes.ts'
import type { Violation } from '../features/agent/policy/violation.ts'
import { removalViolations } from '../features/agent/policy/check-removals.ts'
import { checkContent } from '../features/agent/policy/check-content.ts'
import { newHosts } from '../features/agent/policy/new-hosts.ts'
import type { FileDifference } from '../features/agent/policy/file-difference.ts'
import { openBaseSite } from '../features/agent/policy/open-base-site.ts'
import { treeDifferences } from '../features/agent/policy/tree-differences.ts'
import { anyGlob } from '../features/agent/text/glob.ts'
import type { JobProject } from '../features/agent/job-project.ts'
import type { OpenToolbox } from '../features/agent/toolbox.ts'
import { createTools } from '../features/agent/tools/create-tools.ts'
import type { DocsResult } from '../features/agent/tools/search-docs.ts'
import { ReadRecord } from '../features/agent/tools/read-record.ts'
import { describeCall } from '../features/agent/tools/describe-call.ts'
import { createSite } from '../features/docs/frameworks/create-site.ts'
import { extractLinks } from '../features/docs/parse/extract-links.ts'
import { readFrontMatter } from '../features/docs/parse/front-matter.ts'
import { readPageLines } from '../features/docs/parse/page-lines.ts'
import { anchorsOf } from '../features/docs/parse/parse-page.ts'
import { searchDocs } from '../features/docs/search-docs.ts'
import { findProject } from '../features/projects/projects.ts'
import { createLint } from '../integrations/linters/create-lint.ts'
import type { CheckColumn } from '../store/tables.ts'
import type { Services } from './open-services.ts'

const docs = { createSite, extractLinks, readFrontMatter, readPageLines, anchorsOf }

/** The tools of a turn, over its workspace; what is known of unchanged pages is kept between turns of a repository. */
export function createOpenToolbox({
  store,
  indexes,
  git,
}: Pick<Services, 'store' | 'indexes' | 'git'>): OpenToolbox {
  const caches = new Map<string, FactsCache>()
  const worker = createTextWorker()
  const lint = createLint(git.environment['PATH'] ?? '')
  const search = async (projectId: string, query: string, limit: number): Promise<readonly DocsResult[]> => {
    const project = await findProject(store.db, projectId)
    return project ? (await searchDocs(indexes, project, { query, limit })).hits : []
  }
  return async ({ project, workspace, calls }) => {
    const cache = caches.get(project.id) ?? new FactsCache()
    caches.set(project.id, cache)
    const view = new SiteView({ docs, files: workspace, root: project.root, cache })
    const base = new SiteView({ docs, files: workspace.base(), root: project.root, cache })
    // Made when the first tool runs: the first call of the model need not wait for it.
    const scope = scopeOf(project)
    let scoped: Promise<void> | undefined
    const findScope = (): Promise<void> =>
      (scoped ??= base.site().then(({ configPaths, navigationFiles }) => {
        Object.assign(scope, { configPaths, navigationFiles })
      }))
    const judge = async (differences: readonly FileDifference[]): Promise<string[]> => {
      await findScope()
      const site = await openBaseSite(workspace, base, worker.parseCode)
      const found = [
        ...checkChanges(differences, scope, site.pages),
        ...(await checkContent(differences, site)),
      ]
      return found.map(sentenceOf)
    }
    // The end of a turn asks several times for the same tree.
    let found: { revision: number; problems: readonly Problem[] } | undefined
    const findProblems = async (signal?: AbortSignal): Promise<readonly Problem[]> => {
      const { revision } = workspace
      if (found?.revision !== revision)
        found = { revision, problems: await newProblems(base, view, { worker, lint, signal }) }
      return found.problems
    }
    let judged: { revision: number; violations: Promise<string[]> } | undefined
    const reads = new ReadRecord()
    for (const { name, input, output } of calls) reads.recordResult(name, input, output)
    const tools = createTools({
      workspace,
      view,
      searchDocs: (query, limit) => search(project.id, query, limit),
      reads,
      scope,
      contextRepositories: project.settings.contextRepositories.map((repository) =>
        contextRepository(repository, () => reads.commitOf(repository.name)),
      ),
      checks: {
        ofChange: () => changeProblems(base, view, { worker }),
        onlyNew: async () => [...(await findProblems())],
      },
    })
    return {
      tools: Object.fromEntries(
        tools.map(({ name, description, inputSchema }) => [name, tool({ description, inputSchema })]),
      ) as ToolSet,
      async call(name, input, signal) {
        const found = tools.find((one) => one.name === name)
        if (!found) {
          const message = `There is no tool ${JSON.stringify(name.slice(0, 100))}; use one of ${tools.map((one) => one.name).join(', ')}`
          return { error: { code: 'unknown_tool', message } }
        }
        await findScope()
        const output = await found.execute(input, signal)
        reads.recordResult(name, input, output)
        return output
      },
      describe: describeCall,
      newProblems: async (signal): Promise<CheckColumn[]> =>
        (await findProblems(signal)).map(({ check, severity, path, line, message, hint }) => ({
          check,
          severity: severity ?? 'error',
          path,
          line,
          message,
          hint: hint ?? null,
        })),
      newHosts: async () =>
        newHosts(await workspace.differences(), await openBaseSite(workspace, base, worker.parseCode)),
      violations: () => {
        const { revision } = workspace
        if (judged?.revision !== revision)
          judged = { revision, violations: workspace.differences().then(judge) }
        return judged.violations
      },
      violationsOfTree: async ({ from, tree, since }, signal) => {
        const differences = await treeDifferences(project.repository, from, tree, signal)
        const found = await judge(differences)
        const shrinks = differences.some(({ before, after }) => (after?.length ?? 0) < (before?.length ?? 0))
        if (since === undefined || since === from || !shrinks) return found
        // What earlier turns of the job took away counts with this one's.
        const whole = await treeDifferences(project.repository, since, tree, signal)
        const removed = removalViolations(whole, (await base.site()).pages.length, scope.allows).filter(
          ({ path }) => path === '' || differences.some((one) => one.path === path),
        )
        return [...new Set([...found, ...removed.map(sentenceOf)])]
      },
    }
  }
}

function scopeOf({ root, settings }: JobProject): WriteScope & { configPaths: readonly string[] } {
  return {
    root,
    configPaths: [],
    allows: anyGlob(settings.allow),
    protects: anyGlob(settings.protect),
    readOnly: settings.contextRepositories.map(({ name }) => name),
  }
}

function sentenceOf({ path, line, message }: Violation): string {
  if (path === '') return message
  return `${path}${line === undefined ? '' : `:${line}`}: ${message}`
}
