import { changeProblems, newProblems } from '../../site/checks/new-problems.ts'
import type { Problem } from '../../site/checks/problem.ts'
import type { FactsCache } from '../../site/checks/facts-cache.ts'
import { SiteView } from '../../site/checks/site-view.ts'
import {
  checkChanges,
  removalViolations,
  type WriteScope,
} from '../../features/agent/policy/check-changes.ts'
import { allowanceOf, type BaseSite, openBaseSite } from '../../features/agent/policy/base-site.ts'
import { checkContent } from '../../features/agent/policy/check-content.ts'
import { openWorkspace, type FileDifference } from '../../features/agent/workspace/workspace.ts'
import { newHosts } from '../../features/agent/policy/new-hosts.ts'
import type { Violation } from '../../features/agent/policy/violation.ts'
import { anyGlob } from '../../site/text/glob.ts'
import { type TextGuard, readingKey, readingName } from '../../site/text/text-guard.ts'
import { createTools } from '../../features/agent/tools/create-tools.ts'
import { unprovenClaims } from '../../features/agent/tools/claims.ts'
import { siteOverview } from '../../features/agent/tools/site-overview.ts'
import { ReadRecord } from '../../features/agent/tools/calls/read-record.ts'
import { ToolError } from '../../lib/tool-error.ts'
import { quote } from '../../lib/text/quote.ts'
import { createLint } from '../../integrations/linters/create-lint.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { CheckColumn, ViolationColumn } from '../../store/columns.ts'
import { type ToolboxOwner, askOwner, ownerTree } from './owner-tree.ts'
import { type SessionState, type ToolboxAnswer, type Work, unpackList } from './thread-tasks.ts'

/** A turn's toolbox inside of a thread: here, and nowhere else, the agent reads what strangers have written. */
export type Session = (work: Work) => Promise<ToolboxAnswer>

export async function openSession(
  owner: ToolboxOwner,
  cache: FactsCache,
  state: SessionState,
): Promise<Session> {
  const { root } = state
  const guard = guardOf(owner, state.tooMuch)
  const workspace = await openWorkspace(ownerTree(owner, '', unpackList(state.files)), state.overlay)
  const base = new SiteView({ files: workspace.base(), root, cache, guard })
  const view = new SiteView({ files: workspace, root, cache, guard, base })
  const reads = new ReadRecord(state.reads)
  const scope = scopeOf(state)
  const unpublished = new Set(state.unpublished)
  let scoped: Promise<void> | undefined
  const findScope = (): Promise<void> =>
    (scoped ??= base.site().then(({ configPaths, navigationFiles, openKeys, redirectFile }) => {
      Object.assign(scope, { configPaths, navigationFiles, openKeys, redirectFile })
    }))
  // The end of a turn asks several times for the same tree.
  let found: { revision: number; problems: readonly Problem[] } | undefined
  const findProblems = async (): Promise<readonly Problem[]> => {
    const { revision } = workspace
    if (found?.revision !== revision)
      found = { revision, problems: await newProblems(base, view, { lint, unpublished }) }
    return found.problems
  }
  // The parts of the base are found once for all that is judged.
  let site: Promise<BaseSite> | undefined
  const openSite = async (): Promise<BaseSite> =>
    (site ??= openBaseSite(workspace, base, { allows: allowanceOf(state), isStrict: state.strict }))
  const lint = createLint({
    has: async (program) => (await askOwner(owner, { kind: 'linter', program })).isThere,
    run: async (program, call) => (await askOwner(owner, { kind: 'lint', program, call })).output,
  })
  const tools = createTools({
    workspace,
    view,
    base,
    unpublished: state.unpublished,
    searchDocs: async (query, limit) => (await askOwner(owner, { kind: 'search', query, limit })).hits,
    reads,
    scope,
    contextRepositories: state.contextRepositories.map((name) => ({
      name,
      open: async () => {
        const request = { kind: 'context', name, pinned: reads.commitOf(name) } as const
        const { commit, files } = await askOwner(owner, request)
        return { commit, workspace: await openWorkspace(ownerTree(owner, name, unpackList(files))) }
      },
    })),
    checks: {
      ofChange: () => changeProblems(base, view, { unpublished }),
      onlyNew: async () => [...(await findProblems())],
      policy: () => violations().catch(violationsOf),
    },
  })
  const call = async (name: string, input: unknown): Promise<Record<string, unknown>> => {
    const tool = tools.find((one) => one.name === name)
    if (!tool) {
      const message = `There is no tool ${JSON.stringify(name.slice(0, 100))}; use one of ${tools.map((one) => one.name).join(', ')}`
      return { error: { code: 'unknown_tool', message } }
    }
    const path = pathIn(input)
    if (!guard.begin('call', path, `${name}:${workspace.oid(path) ?? ''}`)) {
      const message = `This takes too long${path === '' ? '' : ` with ${quote(path)}`}: do it in smaller parts, or leave it`
      return { error: { code: 'too_complex', message } }
    }
    await findScope()
    const output = await tool.execute(input)
    reads.recordResult(name, output)
    return output
  }
  const judge = async (
    differences: readonly FileDifference[],
    whole: readonly FileDifference[] = [],
  ): Promise<ViolationColumn[]> => {
    await findScope()
    const site = await openSite()
    const isShort = ({ path, before, after }: FileDifference): boolean =>
      [before, after].every((content) => content === undefined || site.begin?.(path, content) !== false)
    const judged = differences.filter(isShort)
    // What earlier turns of the job took away counts with this one's.
    const isGone = ({ path, after }: FileDifference): boolean =>
      after === undefined && !differences.some((one) => one.path === path)
    const removed = removalViolations(whole, site.pages + whole.filter(isGone).length, scope)
    const violations = [
      ...differences.filter((one) => !judged.includes(one)).map(({ path }) => tooLong(path)),
      ...checkChanges(judged, scope, site.pages, site.begin),
      ...(await checkContent(judged, site)),
      ...removed.filter(({ path }) => path === '' || differences.some((one) => one.path === path)),
    ]
    const columns = violations.map(({ path, line, message, degree, approval }): ViolationColumn => ({
      path,
      line: line ?? null,
      message,
      ...(degree && { degree }),
      ...(approval && { approval }),
    }))
    return [...new Map(columns.map((column) => [JSON.stringify(column), column])).values()]
  }
  let judged: { revision: number; violations: ViolationColumn[] } | undefined
  const violations = async (): Promise<ViolationColumn[]> => {
    const { revision } = workspace
    if (judged?.revision !== revision)
      judged = { revision, violations: await judge(await workspace.differences()) }
    return judged.violations
  }
  return async (work) => {
    switch (work.kind) {
      case 'call': {
        if (work.isFirst) reads.beginAnswer()
        const output = await call(work.name, work.input).catch(outputOf)
        return { kind: 'call', output, changes: workspace.takeDirty() }
      }
      case 'problems':
        return { kind: 'problems', problems: (await findProblems().catch(problemsOf)).map(columnOf) }
      case 'overview':
        return { kind: 'overview', text: await siteOverview(base).catch(() => '') }
      case 'hosts': {
        const site = await openSite()
        return { kind: 'hosts', sentences: await newHosts(await workspace.differences(), site) }
      }
      case 'claims':
        return {
          kind: 'claims',
          claims: unprovenClaims(work.texts, await workspace.differences(), work.earlier),
        }
      case 'violations':
        return { kind: 'violations', violations: await violations().catch(violationsOf) }
      default: {
        // What git holds is, as a rule, what the workspace holds, and judged already.
        const isKnown = work.whole === undefined && areSame(work.differences, await workspace.differences())
        const judging = isKnown ? violations() : judge(work.differences, work.whole)
        return { kind: 'tree', violations: await judging.catch(violationsOf) }
      }
    }
  }
}

function areSame(some: readonly FileDifference[], others: readonly FileDifference[]): boolean {
  const byPath = new Map(others.map((one) => [one.path, one]))
  return (
    byPath.size === some.length &&
    some.every((one) => {
      const other = byPath.get(one.path)
      return (
        other !== undefined &&
        one.mode === other.mode &&
        one.baseMode === other.baseMode &&
        isEqual(one.before, other.before) &&
        isEqual(one.after, other.after)
      )
    })
  )
}

function isEqual(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0
}

function guardOf(owner: ToolboxOwner, tooMuch: readonly string[]): TextGuard {
  const known = new Set(tooMuch)
  return {
    begin(purpose, path, id) {
      if (known.has(readingKey(purpose, id))) return false
      owner.reading(readingName(purpose, path, id))
      return true
    },
  }
}

function scopeOf({ root, allow, protect, contextRepositories, request, ignores }: SessionState): WriteScope {
  return {
    root,
    configPaths: [],
    allows: anyGlob(allow),
    protects: anyGlob(protect),
    readOnly: contextRepositories,
    request,
    ignores,
  }
}

/** What a call is about, as far as it says. */
function pathIn(input: unknown): string {
  if (!isRecord(input)) return ''
  const { path, from } = input
  return typeof path === 'string' ? path : typeof from === 'string' ? from : ''
}

// Of the site's configuration, without which nothing can be said: other texts that take too long are left out.
function outputOf(error: unknown): Record<string, unknown> {
  return requireTooComplex(error).toOutput()
}

function violationsOf(error: unknown): ViolationColumn[] {
  return [{ path: '', line: null, message: requireTooComplex(error).message }]
}

function problemsOf(error: unknown): Problem[] {
  const { message, hints } = requireTooComplex(error)
  const path = typeof hints['path'] === 'string' ? hints['path'] : ''
  return [{ check: 'navigation', path, line: 1, message }]
}

function requireTooComplex(error: unknown): ToolError {
  if (error instanceof ToolError && error.code === 'too_complex') return error
  throw error
}

function tooLong(path: string): Violation {
  const message = 'It takes too long to judge what it does: make it shorter or less nested'
  return { code: 'complex', path, message }
}

function columnOf({ check, severity, path, line, message, hint }: Problem): CheckColumn {
  return { check, severity: severity ?? 'error', path, line, message, hint: hint ?? null }
}
