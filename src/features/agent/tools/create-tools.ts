import type { SiteView } from '../../../site/checks/site-view.ts'
import type { ContextRepository } from '../workspace/context-repository.ts'
import type { WriteScope } from '../policy/check-changes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { addToNavigationTool, listPagesTool } from './pages/navigation.ts'
import { type NewChecks, checkTool, finishTool } from './check-and-finish.ts'
import { askPersonTool } from './ask-person.ts'
import { copyPageTool } from './pages/copy-page.ts'
import { deletePageTool } from './pages/delete-page.ts'
import { diffTool, revertFileTool } from './edits/diff-and-revert.ts'
import { editFileTool } from './edits/edit-file.ts'
import { grepTool, listFilesTool } from './find-files.ts'
import { createPathGuard } from './calls/guarded-files.ts'
import { historyTool, showCommitTool } from './history.ts'
import { planTool } from './keep-plan.ts'
import { moveLinesTool } from './pages/move-lines.ts'
import { movePageTool } from './pages/move-page.ts'
import { createPaths } from './calls/paths.ts'
import { readFileTool } from './read-file.ts'
import type { ReadRecord } from './calls/read-record.ts'
import { replaceInFilesTool } from './edits/replace-in-files.ts'
import { type SearchDocs, searchDocsTool } from './search-docs.ts'
import { resolveConflictTool } from './edits/resolve-conflict.ts'
import { createSources } from './calls/sources.ts'
import { setFrontMatterTool } from './pages/set-front-matter.ts'
import type { AgentTool } from './calls/tool.ts'
import { writeFileTool } from './edits/write-file.ts'

type ToolPorts = Parameters<typeof createTools>[0]

/** The tools as a model sees them, without the ability to call them. `contextRepositories` are names. */
export function describeTools(contextRepositories: readonly string[]): Omit<AgentTool, 'execute'>[] {
  const open = () => Promise.reject(new Error('It is only described'))
  // The workspace is only used by calls.
  const described: Partial<ToolPorts> = {
    contextRepositories: contextRepositories.map((name) => ({ name, open })),
  }
  return createTools(described as ToolPorts)
}

/**
 * Everything that an agent can do to a repository. Calls run one after the other, and the caller records each of
 * them in `reads`.
 */
export function createTools(input: {
  workspace: Workspace
  /** The site of the workspace in its current state. */
  view: SiteView
  /** The same at the start of the turn. */
  base: SiteView
  searchDocs: SearchDocs
  checks: NewChecks
  reads: ReadRecord
  /** From the base tree, so that nothing that the agent writes extends it. */
  scope: WriteScope
  contextRepositories?: readonly ContextRepository[]
  /** Files that earlier turns of the job have made. */
  unpublished?: readonly string[]
}): AgentTool[] {
  const { workspace, view, base, reads } = input
  const guard = createPathGuard(input.scope, workspace)
  const sources = createSources(workspace, input.contextRepositories)
  const paths = createPaths(workspace, view, input.scope?.root ?? '')
  const unpublished = new Set(input.unpublished)
  const writing = { reads, guard, paths, unpublished }
  return [
    listFilesTool(sources, paths),
    listPagesTool(view),
    grepTool(sources, paths),
    readFileTool(sources, paths),
    searchDocsTool(input.searchDocs, workspace),
    historyTool(sources, paths),
    showCommitTool(sources, paths),
    planTool(),
    editFileTool(workspace, writing),
    writeFileTool(workspace, writing),
    moveLinesTool(workspace, view, writing),
    replaceInFilesTool(workspace, view, writing),
    copyPageTool(workspace, view, writing),
    movePageTool(workspace, view, { ...writing, base }),
    deletePageTool(workspace, view, writing),
    setFrontMatterTool(workspace, guard, paths),
    addToNavigationTool(workspace, view, writing),
    resolveConflictTool(workspace, writing),
    diffTool(workspace, paths),
    revertFileTool(workspace, paths),
    checkTool(view, input.checks, paths),
    askPersonTool(),
    finishTool(),
  ]
}
