import { z } from 'zod'
import { contentHash } from '../text/content-hash.ts'
import { decodeLossy, splitLines } from '../text/text-file.ts'
import { type Workspace, quote } from '../workspace.ts'
import { openFile } from './open-text.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from './tool-error.ts'

const maxCharacters = 60_000
const maxLineCharacters = 8000
const defaultLines = 1000

export function readFileTool(workspace: Workspace): AgentTool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a file. Every line comes as its number, a tab and its text. Long files come in parts: go on with startLine. ' +
      'A file has to be read before edit_file changes it.',
    input: z.object({
      path: z.string(),
      startLine: z.number().int().min(1).optional(),
      lineCount: z.number().int().min(1).max(5000).optional(),
    }),
    run: async ({ path, startLine = 1, lineCount = defaultLines }) => {
      const content = await openFile(workspace, path)
      const text = decodeLossy(content)
      if (text === undefined) throw new ToolError('binary', `${quote(path)} is a binary file`)
      const lines = splitLines(text)
      if (startLine > Math.max(1, lines.length)) {
        throw new ToolError('out_of_range', `${quote(path)} has ${lines.length} lines`, {
          totalLines: lines.length,
        })
      }
      const wanted = lines.slice(startLine - 1, startLine - 1 + lineCount)
      const texts = wanted.map((line) => text.slice(line.start, line.end))
      return {
        path,
        hash: contentHash(content),
        totalLines: lines.length,
        startLine,
        content: numbered(texts, startLine),
      }
    },
  })
}

/** `${number}\t${text}` joined by line ends; what goes over the limit is left out, whole lines at a time. */
export function numbered(lines: readonly string[], startLine: number): string {
  const shown: string[] = []
  let length = 0
  for (const [index, line] of lines.entries()) {
    const cut = line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters)}… (line cut)` : line
    length += cut.length + 8
    if (length > maxCharacters && index > 0) break
    shown.push(`${startLine + index}\t${cut.toWellFormed()}`)
  }
  return shown.join('\n')
}
