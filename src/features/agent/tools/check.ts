import { z } from 'zod'
import { checkTree, createSelection } from '../../../site/checks/check-tree.ts'
import type { Problem } from '../../../site/checks/problem.ts'
import type { SiteView } from '../../../site/checks/site-view.ts'
import { type AgentTool, defineTool } from './tool.ts'

/** What else than the site as it is can be told: how it differs from its base. */
export interface NewChecks {
  /** Problems of the texts and pages that were changed. */
  ofChange: () => Promise<Problem[]>
  /** All problems that the base does not have, and warnings of linters: what counts in the end. */
  onlyNew: () => Promise<Problem[]>
}

const maxShown = 200

export function checkTool(view: SiteView, checks: NewChecks): AgentTool {
  return defineTool({
    name: 'check',
    description:
      'Checks links, anchors, images, front matter and navigation of pages as they are now, older problems included, and of what you ' +
      'changed also whether pages compile, imports and snippets, code blocks, redirects, data files and terms. A problem with exactly one ' +
      'suggestion has a certain repair. `onlyNew` leaves out what was there before and adds warnings: what is left has to be mended ' +
      'before you finish, but for the warnings.',
    input: z.object({ paths: z.array(z.string()).max(500).optional(), onlyNew: z.boolean().optional() }),
    run: async ({ paths, onlyNew }) => {
      const isWanted = createSelection(paths)
      const found =
        onlyNew === true
          ? await checks.onlyNew()
          : [
              ...(await checkTree(view, paths)),
              ...(await checks.ofChange()).filter(({ severity }) => severity === undefined),
            ]
      const problems = found.filter(({ path }) => isWanted(path))
      return { problems: problems.slice(0, maxShown), total: problems.length }
    },
  })
}
