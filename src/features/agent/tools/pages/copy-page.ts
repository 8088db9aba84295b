import { z } from 'zod'
import type { SiteView } from '../../../../site/checks/site-view.ts'
import { encodeEdited } from '../../../../site/text/encoding.ts'
import { applyEdits } from '../../../../site/text/text-file.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { openText, type PathGuard } from '../calls/guarded-files.ts'
import { requireFree, requireFreeAddress, targetPath } from './move-page.ts'
import { moveReferences } from './move-references.ts'
import type { Paths } from '../calls/paths.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'

export function copyPageTool(
  workspace: Workspace,
  view: SiteView,
  { guard, paths }: { guard: PathGuard; paths: Paths },
): AgentTool {
  return defineTool({
    name: 'copy_page',
    changesFiles: true,
    description: 'Copies a page; its relative links stay right.',
    input: z.object({ from: z.string(), to: z.string() }),
    run: async ({ from: given, to: wanted }) => {
      const from = await paths.file(given)
      const original = await openText(workspace, from)
      const { text } = original
      const to = await targetPath(paths, from, wanted)
      requireFree(workspace, from, to)
      await guard.requireWritable(to)
      const all = new Set(view.oids().keys())
      const after = await view.siteOf([...all, to], new Map([[to, text]]))
      requireFreeAddress(after, to)
      const move = { moved: new Map<string, string>(), before: await view.site(), after, paths: all }
      const facts = await view.facts(from)
      const edits = facts === undefined ? [] : moveReferences(move, from, facts, { here: to })
      workspace.write(to, encodeEdited(applyEdits(text, edits), original))
      return { from, to, linksChanged: edits.length }
    },
  })
}
