import { actingLinks } from '../../../../site/markdown/extract-links.ts'
import { z } from 'zod'
import type { SiteView } from '../../../../site/checks/site-view.ts'
import { openNavigation } from '../../../../site/frameworks/open-navigation.ts'
import { folderOf } from '../../../../site/text/paths.ts'
import { lineFinder } from '../../../../site/text/text-file.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { openFile, type PathGuard } from '../calls/guarded-files.ts'
import { referredFile } from './move-references.ts'
import type { Paths } from '../calls/paths.ts'
import { Plan } from './plan.ts'
import { translationsOf } from './translations.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'
import { pageEnding } from '../../../../site/text/markup.ts'

const maxLinks = 500

export function deletePageTool(
  workspace: Workspace,
  view: SiteView,
  { guard, paths: names }: { guard: PathGuard; paths: Paths },
): AgentTool {
  return defineTool({
    name: 'delete_page',
    changesFiles: true,
    description: 'Deletes a page with its navigation entry; names links to it.',
    input: z.object({ path: z.string() }),
    run: async ({ path: given }) => {
      const path = await names.file(given)
      await openFile(workspace, path)
      await guard.requireWritable(path)
      const site = await view.site()
      const plan = new Plan(workspace, guard)
      const navigation = site.pageFor(path) === undefined ? undefined : await openNavigation(view)
      for (const edits of navigation?.remove(path) ?? []) if (edits.path !== path) await plan.edit(edits)
      const inboundLinks: { path: string; line: number; href: string }[] = []
      const sources = [...view.oids().keys()].filter((file) => pageEnding.test(file) && file !== path)
      const paths = new Set(view.oids().keys())
      for await (const { path: source, facts } of view.eachFacts(sources)) {
        for (const { href, line } of actingLinks(facts.links, site.dialectOf(source))) {
          const target = site.resolveLink(source, href)
          const leads = target.kind === 'page' || target.kind === 'asset'
          // Its entry in a list of links goes with the page.
          const isEntry = navigation?.entries.some((entry) => entry.file === source && entry.line === line)
          if (leads && target.path === path && isEntry !== true)
            inboundLinks.push({ path: source, line, href })
        }
        // Imports and includes: without them the page cannot be built.
        for (const { start, text } of facts.references) {
          if (referredFile(paths, folderOf(source), text) !== path) continue
          const content = (await view.text(source)) ?? ''
          inboundLinks.push({ path: source, line: lineFinder(content)(start), href: text })
        }
      }
      const translations = translationsOf(site, path, paths)
      const changed = plan.apply([{ path, content: undefined }])
      return {
        path,
        changed,
        inboundLinks: inboundLinks.slice(0, maxLinks),
        ...(translations.length > 0 ? { translationsLeft: translations } : {}),
      }
    },
  })
}
