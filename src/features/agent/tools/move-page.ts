import { z } from 'zod'
import type { Site } from '../../../site/frameworks/site.ts'
import type { SiteView } from '../../../site/checks/site-view.ts'
import { type Mention, codeMentions, isSiteCode } from '../../../site/navigation/code-mentions.ts'
import type { FileEdits } from '../../../site/navigation/edit-navigation.ts'
import { encodeText } from '../../../site/text/encoding.ts'
import { applyEdits } from '../../../site/text/text-file.ts'
import { type Workspace, requirePath } from '../workspace/workspace.ts'
import { quote } from '../../../lib/quote.ts'
import { openText } from './open-text.ts'
import { type Move, moveReferences } from './move-references.ts'
import type { PathGuard } from './path-guard.ts'
import { openNavigation } from '../../../site/navigation/open-navigation.ts'
import { Plan } from './plan.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from '../../../lib/tool-error.ts'
import { readFrontMatter } from '../../../site/pages/front-matter.ts'

const pageFile = /\.(?:md|mdx|markdown)$/i

export function movePageTool(workspace: Workspace, view: SiteView, guard: PathGuard): AgentTool {
  return defineTool({
    name: 'move_page',
    description:
      'Moves or renames a page or a snippet. Links to it, its own relative links, the navigation and, where the site keeps them in files, ' +
      'redirects follow; `notUpdated` names lines of configuration code that still name the old page. Read it again before you edit it.',
    input: z.object({ from: z.string(), to: z.string() }),
    run: async (input) => {
      const from = requirePath(input.from.replace(/^\.\//, ''))
      const to = targetPath(from, input.to)
      const page = await openText(workspace, from)
      await guard.requireWritable(from)
      await guard.requireWritable(to)
      requireMovable(workspace, from, to)
      const before = await view.site()
      // A snippet, or a file that the site leaves out: it has no address, but others may name it.
      const isPage = before.pageFor(from) !== undefined

      const plan = new Plan(workspace, guard)
      const navigation = await openNavigation(view)
      const paths = new Set(view.oids().keys())
      const { data } = readFrontMatter(page.text)
      const fromUrl = before.pageFor(from, data)?.url
      const newPaths = [...paths].filter((path) => path !== from)
      newPaths.push(to)
      const planned = () => new Map([...plan.texts(), [to, page.text]])
      // Its address is known before the navigation names it.
      const draft = await view.siteOf(newPaths, planned())
      const toUrl = draft.pageFor(to, data)?.url
      if (isPage && toUrl === undefined)
        throw new ToolError('not_a_page', `The site would make no page of ${quote(to)}`)
      requireFreeAddress(draft, to)
      const named: FileEdits[] = []
      if (isPage && toUrl !== undefined) {
        named.push(...(navigation?.move({ from, to, fromUrl: fromUrl ?? toUrl, toUrl }) ?? []))
        for (const edits of named) await plan.edit(edits)
      }
      const after = await view.siteOf(newPaths, planned())

      let text = page.text
      const move: Move = { from, to, before, after, paths }
      const sources = [...paths].filter((path) => pageFile.test(path))
      for await (const { path, facts } of view.eachFacts(sources)) {
        const edits = moveReferences(move, path, facts)
        if (edits.length === 0) continue
        if (path === from) text = applyEdits(page.text, edits)
        // A page that cannot be edited keeps its link; the redirect or the check takes care of it.
        else if ((await guard.allows(path)) && (await plan.text(path)) !== undefined)
          await plan.edit({ path, edits })
      }
      const changed = plan.apply([
        { path: from, content: undefined },
        { path: to, content: encodeText(text, page.encoding) },
      ])
      const redirect = navigation?.hasRedirects === true && fromUrl !== undefined && fromUrl !== toUrl
      const mentions = await mentionsInCode(view, namesOf(before, from, fromUrl), named)
      return { from, to, changed, redirect, ...(mentions.length > 0 ? { notUpdated: mentions } : {}) }
    },
  })
}

/** Code that computes its navigation is not edited: the model gets the lines, to change them or to tell a person. */
async function mentionsInCode(
  view: SiteView,
  names: readonly string[],
  edited: readonly FileEdits[],
): Promise<Mention[]> {
  const mentions: Mention[] = []
  for (const path of [...view.oids().keys()].filter(isSiteCode).slice(0, 50)) {
    const made = edited.find((file) => file.path === path)?.edits ?? []
    mentions.push(...codeMentions(path, (await view.text(path)) ?? '', { names, made }))
  }
  return mentions.slice(0, 50)
}

/** The ways in which code may name a page: by address, path and, as sidebars do, by path without extension. */
function namesOf(site: Site, path: string, url: string | undefined): string[] {
  const inside = path.slice(path.startsWith(site.root) ? site.root.length : 0)
  const bare = inside.replace(pageFile, '')
  const address = (url ?? '').replace(/\.html$/, '')
  return [
    inside,
    `/${inside}`,
    bare,
    `/${bare}`,
    address,
    `${address}.html`,
    address.replace(/\/$/, ''),
    `${address}/`,
  ]
}

/** The new path as it is meant: without an extension it keeps that of the page, a folder keeps the page's name. */
function targetPath(from: string, given: string): string {
  const plain = given.replace(/^\.\//, '')
  const name = from.slice(from.lastIndexOf('/') + 1)
  const path = plain.endsWith('/') ? `${plain}${name}` : plain
  requirePath(path)
  if (!pageFile.test(from)) return path
  return pageFile.test(path) ? path : `${path}${pageFile.exec(from)?.[0] ?? ''}`
}

function requireMovable(workspace: Workspace, from: string, to: string): void {
  if (from === to) throw new ToolError('invalid', 'The page is there already')
  if (workspace.has(to)) throw new ToolError('exists', `There is already a file ${quote(to)}`)
}

function requireFreeAddress(site: Site, to: string): void {
  const taken = site.collisions.find((collision) => collision.paths.includes(to))
  const other = taken?.paths.find((path) => path !== to)
  if (taken === undefined || other === undefined) return
  throw new ToolError('exists', `The page would have the address ${taken.url}, which ${quote(other)} has`)
}
