import { z } from 'zod'
import { holdsSecrets } from '../policy/protected-files.ts'
import { contentHash } from '../../../site/text/content-hash.ts'
import { splitLines } from '../../../site/text/text-file.ts'
import { quote } from '../../../lib/text/quote.ts'
import { openText } from './calls/guarded-files.ts'
import type { Paths } from './calls/paths.ts'
import type { Sources } from './calls/sources.ts'
import { type AgentTool, defineTool } from './calls/tool.ts'
import { ToolError } from '../../../lib/tool-error.ts'

const maxCharacters = 60_000
const maxLineCharacters = 8000
const defaultLines = 1000
const maxLines = 5000

export function readFileTool(sources: Sources, paths: Paths): AgentTool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a file: every line as its number, a tab and its text. Long files come in parts: when `truncated` is true, go on ' +
      'with startLine at `endLine` + 1. A file has to be read, in whole or in part, before edit_file changes it.',
    input: z.object({
      path: z.string(),
      startLine: z.number().int().min(1).optional(),
      endLine: z.number().int().min(1).optional(),
      lineCount: z.number().int().min(1).optional(),
      startColumn: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe('For a line that was cut: its first character to show'),
    }),
    run: async ({ path: given, startLine = 1, endLine: last, lineCount, startColumn = 1 }, signal) => {
      const source = await sources.of(await paths.file(given), signal)
      const path = `${source.prefix}${source.path}`
      if (holdsSecrets(source.path))
        throw new ToolError(
          'forbidden',
          `${quote(path)} is a file for secrets, which no page needs: go on without it`,
        )
      const { text, encoding, content } = await openText(source.workspace, source.path)
      const lines = splitLines(text)
      if (startLine > Math.max(1, lines.length)) {
        throw new ToolError('out_of_range', `${quote(path)} has ${lines.length} lines`, {
          totalLines: lines.length,
        })
      }
      const count = Math.min(
        lineCount ?? (last === undefined ? defaultLines : last - startLine + 1),
        maxLines,
      )
      const wanted = lines.slice(startLine - 1, startLine - 1 + Math.max(1, count))
      const texts = wanted.map((line, index) =>
        text.slice(index === 0 ? Math.min(line.end, line.start + startColumn - 1) : line.start, line.end),
      )
      const read = takeLines(texts)
      const endLine = startLine + read.length - 1
      return {
        path,
        hash: contentHash(content),
        ...source.origin,
        ...(encoding === 'utf-8' ? {} : { encoding }),
        totalLines: lines.length,
        startLine,
        ...(endLine < lines.length ? { endLine, truncated: true } : {}),
        content: numberLines(read, startLine),
      }
    },
  })
}

/** Lines as `${number}\t${text}`. Whole lines that exceed the limit are left out. */
export function numberLines(lines: readonly string[], startLine: number): string {
  return takeLines(lines)
    .map((line, index) => `${startLine + index}\t${line}`)
    .join('\n')
}

function takeLines(lines: readonly string[]): string[] {
  const taken: string[] = []
  let length = 0
  for (const [index, line] of lines.entries()) {
    const cut =
      line.length > maxLineCharacters
        ? `${line.slice(0, maxLineCharacters).toWellFormed()}… (line cut)`
        : line
    length += cut.length + 8
    if (length > maxCharacters && index > 0) break
    taken.push(cut)
  }
  return taken
}
