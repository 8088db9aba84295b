import { z } from 'zod'
import { holdsSecrets } from '../policy/protected-files.ts'
import { selectFiles } from './find-files.ts'
import type { Sources } from './sources.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from '../../../lib/tool-error.ts'

const maxSearched = 20_000
const maxPerFile = 5000
const maxCharacters = 60_000
const maxText = 400

export function grepTool(sources: Sources): AgentTool {
  return defineTool({
    name: 'grep',
    description:
      'Finds lines that hold a text (or match a regular expression, with `regex`). `paths` may name files, folders and globs' +
      `${sources.names.length === 0 ? '' : ', or one read-only repository, as a whole (`@name`) or in part (`@name/src/**`)'}.`,
    input: z.object({
      pattern: z.string().min(1).max(2000),
      regex: z.boolean().optional(),
      ignoreCase: z.boolean().optional(),
      paths: z.array(z.string().max(4000)).max(200).optional(),
      limit: z.number().int().min(1).max(2000).optional(),
    }),
    run: async ({ pattern, regex = false, ignoreCase = false, paths = [], limit = 200 }, signal) => {
      const places = await Promise.all(paths.map((path) => sources.of(path, signal)))
      const source = places[0] ?? (await sources.of('', signal))
      if (places.some((place) => place.workspace !== source.workspace))
        throw new ToolError('invalid_input', 'Search one repository at a time')
      const inside = places.map(({ path }) => path)
      const selection = selectFiles(source.workspace, inside)
      // The search runs in git, over the tree with this turn's changes: no pattern can hang this process.
      const found = await source.workspace.grep(pattern, {
        regex,
        ignoreCase,
        paths: selection.places,
        limit: maxSearched,
        limitPerFile: maxPerFile,
      })
      const all = found.matches.filter(({ path }) => selection.includes(path) && !holdsSecrets(path))
      const matches: { path: string; line: number; text: string }[] = []
      let characters = 0
      for (const { path, line, text } of all.slice(0, limit)) {
        const cut = text.length > maxText ? `${text.slice(0, maxText)}…` : text
        characters += path.length + cut.length + 20
        if (characters > maxCharacters && matches.length > 0) break
        matches.push({ path: `${source.prefix}${path}`, line, text: cut.toWellFormed() })
      }
      return {
        matches,
        total: all.length,
        truncated: found.truncated || all.length > matches.length,
        ...source.origin,
      }
    },
  })
}
