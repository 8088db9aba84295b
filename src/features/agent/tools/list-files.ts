import { z } from 'zod'
import { createGlob } from '../text/glob.ts'
import { type Workspace, quote } from '../workspace.ts'
import { folderInput } from './find-files.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from './tool-error.ts'

const maxFiles = 2000

export function listFilesTool(workspace: Workspace): AgentTool {
  return defineTool({
    name: 'list_files',
    description: 'Lists files of the repository, in a folder or by a glob such as `guides/**/*.mdx`.',
    input: z.object({ path: z.string().optional(), glob: z.string().optional() }),
    run: async ({ path, glob }) => {
      const folder = folderInput(path ?? '')
      if (folder !== '' && !workspace.hasFolder(folder) && !workspace.has(folder)) {
        throw new ToolError('not_found', `There is no folder ${quote(folder)}`)
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
      return { files: found.slice(0, maxFiles), truncated: found.length > maxFiles }
    },
  })
}
