import { z } from 'zod'
import type { SiteView } from '../../../../site/checks/site-view.ts'
import type { FileEdits } from '../../../../site/navigation/edit-navigation.ts'
import { groupsOf, openNavigation } from '../../../../site/frameworks/open-navigation.ts'
import { Plan } from './plan.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'
import { type Workspace } from '../../workspace/workspace.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { openFile, type PathGuard } from '../calls/guarded-files.ts'
import type { Paths } from '../calls/paths.ts'
import { ToolError } from '../../../../lib/tool-error.ts'

const maxPages = 500
const madeElsewhere =
  'This site makes its navigation from its folders or from the front matter of its pages, or computes it in code: nothing to edit'

export function listPagesTool(view: SiteView): AgentTool {
  return defineTool({
    name: 'list_pages',
    description: 'Lists pages with size and place in navigation, all or by `query`.',
    input: z.object({ query: z.string().max(500).optional() }),
    run: async ({ query = '' }) => {
      const site = await view.site()
      const words = query
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '')
      const groups = groupsOf(await openNavigation(view).catch(() => undefined))
      const pages: {
        path: string
        url: string
        title: string
        group: string | null
        inNavigation: boolean
      }[] = []
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
          group: groups.get(path)?.at(-1) ?? null,
          inNavigation: page.inNavigation,
        })
      }
      const contents = await view.files.readSome(pages.map(({ path }) => path))
      const sized = pages.map((page, at) => ({ ...page, lines: countLines(contents[at]) }))
      return { pages: sized, truncated: count > maxPages }
    },
  })
}

function countLines(content: Uint8Array | undefined): number | undefined {
  if (content === undefined) return undefined
  let lines = content.length > 0 && content.at(-1) !== 10 ? 1 : 0
  for (const byte of content) if (byte === 10) lines++
  return lines
}

export function addToNavigationTool(
  workspace: Workspace,
  view: SiteView,
  { guard, paths }: { guard: PathGuard; paths: Paths },
): AgentTool {
  return defineTool({
    name: 'add_to_navigation',
    changesFiles: true,
    description: 'Adds a page, or moves its entry: after one, in a group, or by its folder.',
    input: z.object({ path: z.string(), group: z.string().optional(), after: z.string().optional() }),
    run: async ({ path: given, group, after: neighbour }) => {
      const path = await paths.file(given)
      await openFile(workspace, path)
      const after = neighbour === undefined ? undefined : await paths.file(neighbour)
      const site = await view.site()
      if (site.pageFor(path) === undefined)
        throw new ToolError('not_a_page', `${quote(path)} is not a page of the site`)
      const navigation = await openNavigation(view)
      if (navigation === undefined) return { changed: [], note: madeElsewhere }
      const plan = new Plan(workspace, guard)
      const title = (await view.facts(path))?.title
      let added: FileEdits[]
      try {
        added = navigation.add({ path, title, group, after })
      } catch (error) {
        // There is nothing to do, which is no reason to stop.
        if (error instanceof ToolError && error.code === 'no_navigation')
          return { changed: [], note: error.message }
        throw error
      }
      for (const edits of added) await plan.edit(edits)
      const changed = plan.apply()
      if (changed.length > 0) return { changed, ...plan.diff() }
      const groups = groupsOf(navigation).get(path) ?? []
      return { changed, note: `It is there already, in ${groups.map(quote).join(' – ') || 'no group'}` }
    },
  })
}
