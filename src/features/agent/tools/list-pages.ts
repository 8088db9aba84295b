import { z } from 'zod'
import type { SiteView } from '../../../site/checks/site-view.ts'
import { groupOf, openNavigation } from '../../../site/navigation/open-navigation.ts'
import { type AgentTool, defineTool } from './tool.ts'

const maxPages = 500

export function listPagesTool(view: SiteView): AgentTool {
  return defineTool({
    name: 'list_pages',
    description:
      'Lists the pages of the site with path, address, title and group of the navigation. `query` narrows it to pages whose ' +
      'title, path or address holds these words.',
    input: z.object({ query: z.string().max(500).optional() }),
    run: async ({ query = '' }) => {
      const site = await view.site()
      const words = query
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '')
      const groups = groupOf(await openNavigation(view).catch(() => undefined))
      const pages: Record<string, unknown>[] = []
      let count = 0
      for await (const { path, facts } of view.eachFacts(site.pages)) {
        const page = site.pageFor(path, facts.frontMatter.data)
        if (page === undefined) continue
        const title =
          facts.title ?? page.navTitle ?? path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
        const text = `${title}\n${path}\n${page.url}`.toLowerCase()
        if (!words.every((word) => text.includes(word))) continue
        if (++count > maxPages) continue
        pages.push({
          path,
          url: page.url,
          title,
          group: groups.get(path) ?? null,
          inNavigation: page.inNavigation,
        })
      }
      return { pages, truncated: count > maxPages }
    },
  })
}
