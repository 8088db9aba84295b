import type { SiteView } from '../../../site/checks/site-view.ts'
import type { ContextRepository } from '../workspace/context-repository.ts'
import type { WriteScope } from '../policy/check-changes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { addToNavigationTool, listPagesTool } from './navigation.ts'
import { type NewChecks, checkTool, finishTool } from './check-and-finish.ts'
import { askPersonTool } from './ask-person.ts'
import { deletePageTool, movePageTool } from './move-and-delete-page.ts'
import { editFileTool } from './edit-file.ts'
import { grepTool, listFilesTool } from './find-files.ts'
import { createPathGuard } from './guarded-files.ts'
import { readFileTool } from './read-file.ts'
import type { ReadRecord } from './read-record.ts'
import { type SearchDocs, searchDocsTool } from './search-docs.ts'
import { createSources } from './sources.ts'
import { setFrontMatterTool } from './set-front-matter.ts'
import type { AgentTool } from './tool.ts'
import { writeFileTool } from './write-file.ts'

type ToolPorts = Parameters<typeof createTools>[0]

/** The tools as a model sees them, without the ability to call them. `contextRepositories` are names. */
export function describeTools(
  contextRepositories: readonly string[],
): Pick<AgentTool, 'name' | 'description' | 'inputSchema'>[] {
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
  searchDocs: SearchDocs
  checks: NewChecks
  reads: ReadRecord
  /** From the base tree, so that nothing that the agent writes extends it. */
  scope: WriteScope
  contextRepositories?: readonly ContextRepository[]
}): AgentTool[] {
  const { workspace, view, reads } = input
  const guard = createPathGuard(input.scope, workspace)
  const sources = createSources(workspace, input.contextRepositories)
  return [
    listFilesTool(sources),
    listPagesTool(view),
    grepTool(sources),
    readFileTool(sources),
    searchDocsTool(input.searchDocs),
    editFileTool(workspace, reads, guard),
    writeFileTool(workspace, reads, guard),
    movePageTool(workspace, view, guard),
    deletePageTool(workspace, view, guard),
    setFrontMatterTool(workspace, guard),
    addToNavigationTool(workspace, view, guard),
    checkTool(view, input.checks),
    askPersonTool(),
    finishTool(),
  ]
}
