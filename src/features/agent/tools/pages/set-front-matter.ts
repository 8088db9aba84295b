import { z } from 'zod'
import { contentHash } from '../../../../site/text/content-hash.ts'
import { editFrontMatter } from '../../../../site/markdown/edit-front-matter.ts'
import { encodeEdited } from '../../../../site/text/encoding.ts'
import { applyEdits } from '../../../../site/text/text-file.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { openText, type PathGuard } from '../calls/guarded-files.ts'
import { lineChanges } from '../calls/line-changes.ts'
import type { Paths } from '../calls/paths.ts'
import { changedLines } from '../edits/text-difference.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'
import { ToolError } from '../../../../lib/tool-error.ts'

const maxFields = 50

export function setFrontMatterTool(workspace: Workspace, guard: PathGuard, paths: Paths): AgentTool {
  return defineTool({
    name: 'set_front_matter',
    changesFiles: true,
    description: 'Sets fields of front matter; null removes one.',
    input: z.object({
      path: z.string(),
      fields: z.record(z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/), z.string().max(20_000).nullable()),
    }),
    run: async ({ path: given, fields }) => {
      const path = await paths.file(given)
      const names = Object.keys(fields)
      if (names.length === 0 || names.length > maxFields)
        throw new ToolError('invalid_input', 'Give 1 to 50 fields')
      await guard.requireWritable(path)
      const before = await openText(workspace, path)
      const { text } = before
      let current = text
      for (const name of names) {
        const value = fields[name] ?? undefined
        if (value !== undefined && (!value.isWellFormed() || value.includes('\0'))) {
          throw new ToolError(
            'invalid_input',
            `The value of ${name} contains a character that text files cannot contain`,
          )
        }
        current = applyEdits(current, editFrontMatter(current, name, value))
      }
      const content = encodeEdited(current, before)
      if (current !== text) workspace.write(path, content)
      const diff = changedLines(text, current)
      return {
        path,
        hash: contentHash(content),
        edited: { [path]: lineChanges(text, current) ?? null },
        ...(diff === undefined ? { unchanged: true } : { diff }),
      }
    },
  })
}
