import { z } from 'zod'
import type { SiteView } from '../../../site/checks/site-view.ts'
import { type Workspace } from '../workspace/workspace.ts'
import { quote } from '../../../lib/quote.ts'
import { openFile } from './open-text.ts'
import type { PathGuard } from './path-guard.ts'
import { openNavigation } from '../../../site/navigation/open-navigation.ts'
import { Plan } from './plan.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from '../../../lib/tool-error.ts'

export function addToNavigationTool(workspace: Workspace, view: SiteView, guard: PathGuard): AgentTool {
  return defineTool({
    name: 'add_to_navigation',
    description:
      'Adds a page to the navigation: behind the page `after`, at the end of `group`, or beside the pages of its folder. Sites whose ' +
      'navigation comes from the folders answer no_navigation: there is nothing to do.',
    input: z.object({ path: z.string(), group: z.string().optional(), after: z.string().optional() }),
    run: async ({ path, group, after }) => {
      await openFile(workspace, path)
      const site = await view.site()
      if (site.pageFor(path) === undefined)
        throw new ToolError('not_a_page', `${quote(path)} is not a page of the site`)
      const navigation = await openNavigation(view)
      if (navigation === undefined) {
        throw new ToolError(
          'no_navigation',
          'This site makes its navigation from its folders or computes it in code: nothing to edit',
        )
      }
      const plan = new Plan(workspace, guard)
      const title = (await view.facts(path))?.title
      for (const edits of navigation.add({ path, title, group, after })) await plan.edit(edits)
      return { changed: plan.apply() }
    },
  })
}
