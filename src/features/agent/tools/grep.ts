import { z } from 'zod'
import type { Workspace } from '../workspace.ts'
import { selectFiles } from './find-files.ts'
import { type AgentTool, defineTool } from './tool.ts'

const maxSearched = 20_000
const maxCharacters = 60_000
const maxText = 400

export function grepTool(workspace: Workspace): AgentTool {
  return defineTool({
    name: 'grep',
    description:
      'Finds lines that hold a text (or match a regular expression, with `regex`). `paths` may name files, folders and globs.',
    input: z.object({
      pattern: z.string().min(1).max(2000),
      regex: z.boolean().optional(),
      ignoreCase: z.boolean().optional(),
      paths: z.array(z.string()).max(200).optional(),
      limit: z.number().int().min(1).max(2000).optional(),
    }),
    run: async ({ pattern, regex = false, ignoreCase = false, paths = [], limit = 200 }) => {
      const { places, includes } = selectFiles(workspace, paths)
      // The search runs in git, over the tree with this turn's changes: no pattern can hang this process.
      const found = await workspace.grep(pattern, { regex, ignoreCase, paths: places, limit: maxSearched })
      const all = found.matches.filter((match) => includes(match.path))
      const matches: { path: string; line: number; text: string }[] = []
      let characters = 0
      for (const { path, line, text } of all.slice(0, limit)) {
        const cut = text.length > maxText ? `${text.slice(0, maxText)}…` : text
        characters += path.length + cut.length + 20
        if (characters > maxCharacters && matches.length > 0) break
        matches.push({ path, line, text: cut.toWellFormed() })
      }
      return { matches, total: all.length, truncated: found.truncated || all.length > matches.length }
    },
  })
}
