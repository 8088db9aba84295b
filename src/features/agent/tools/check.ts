import { z } from 'zod'
import { checkTree } from '../checks/check-tree.ts'
import type { SiteView } from '../checks/site-view.ts'
import { type AgentTool, defineTool } from './tool.ts'

const maxShown = 200

export function checkTool(view: SiteView): AgentTool {
  return defineTool({
    name: 'check',
    description:
      'Checks links, anchors, images, front matter and navigation of pages as they are now, older problems included. A problem with ' +
      'exactly one suggestion has a certain repair.',
    input: z.object({ paths: z.array(z.string()).max(500).optional() }),
    run: async ({ paths }) => {
      const problems = await checkTree(view, paths)
      return { problems: problems.slice(0, maxShown), total: problems.length }
    },
  })
}
