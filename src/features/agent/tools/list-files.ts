import { z } from 'zod'
import { createGlob } from '../../../site/text/glob.ts'
import { quote } from '../../../lib/quote.ts'
import { folderInput } from './find-files.ts'
import type { Sources } from './sources.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from '../../../lib/tool-error.ts'

const maxFiles = 2000

export function listFilesTool(sources: Sources): AgentTool {
  const besides = sources.names.map((name) => `\`@${name}\``).join(', ')
  return defineTool({
    name: 'list_files',
    description:
      'Lists the files of the repository, or finds them: in a folder (`path`), by a glob such as `guides/**/*.{md,mdx}` or `*.yml` (`glob`), ' +
      `or both.${besides === '' ? '' : ` Repositories that can be read and searched but not changed are found by path: ${besides}.`}`,
    input: z.object({
      path: z.string().optional(),
      glob: z.string().optional(),
      limit: z.number().int().min(1).max(maxFiles).optional(),
    }),
    run: async ({ path = '', glob, limit = maxFiles }, signal) => {
      const source = await sources.of(path, signal)
      const { workspace } = source
      const folder = folderInput(source.path)
      if (folder !== '' && !workspace.hasFolder(folder) && !workspace.has(folder)) {
        throw new ToolError('not_found', `There is no folder ${quote(path)}`)
      }
      const matches = glob === undefined || glob === '' ? () => true : createGlob(glob)
      const inside = workspace
        .list()
        .map((file) => file.path)
        .filter((file) => folder === '' || file === folder || file.startsWith(`${folder}/`))
      // A glob is meant from the top or from the folder: both are tried.
      const found = inside.filter(
        (file) => matches(file) || (folder !== '' && matches(file.slice(folder.length + 1))),
      )
      return {
        files: found.slice(0, limit).map((file) => `${source.prefix}${file}`),
        truncated: found.length > limit,
        ...(found.length > limit ? { total: found.length } : {}),
        ...source.origin,
      }
    },
  })
}
