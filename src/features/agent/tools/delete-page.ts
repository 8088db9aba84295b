import { z } from 'zod'
import type { SiteView } from '../checks/site-view.ts'
import { type Workspace, quote } from '../workspace.ts'
import { openFile } from './open-text.ts'
import type { PathGuard } from './path-guard.ts'
import { Plan, openViewNavigation } from './plan.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from './tool-error.ts'

const maxLinks = 500

export function deletePageTool(workspace: Workspace, view: SiteView, guard: PathGuard): AgentTool {
  return defineTool({
    name: 'delete_page',
    description:
      'Deletes a page and its navigation entry. The links that led to it come back: change or remove them, and add a redirect ' +
      'if another page takes its place.',
    input: z.object({ path: z.string() }),
    run: async ({ path }) => {
      await openFile(workspace, path)
      guard.requireWritable(path)
      const site = await view.site()
      if (site.pageFor(path) === undefined)
        throw new ToolError('not_a_page', `${quote(path)} is not a page of the site`)
      const plan = new Plan(workspace, guard)
      for (const edits of (await openViewNavigation(view))?.remove(path) ?? []) await plan.edit(edits)
      const inboundLinks: { path: string; line: number; href: string }[] = []
      const sources = [...view.oids().keys()].filter(
        (file) => /\.(?:md|mdx|markdown)$/i.test(file) && file !== path,
      )
      for await (const { path: source, facts } of view.eachFacts(sources)) {
        for (const { href, line } of facts.links) {
          const target = site.resolveLink(source, href)
          if (target.kind === 'page' && target.path === path) inboundLinks.push({ path: source, line, href })
        }
      }
      const changed = plan.apply([{ path, content: undefined }])
      return { path, changed, inboundLinks: inboundLinks.slice(0, maxLinks) }
    },
  })
}
