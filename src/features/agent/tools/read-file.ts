import { z } from 'zod'
import { holdsSecrets } from '../policy/protected-files.ts'
import { contentHash } from '../../../site/text/content-hash.ts'
import { type Line, splitLines } from '../../../site/text/text-file.ts'
import { quote } from '../../../lib/text/quote.ts'
import { openText } from './calls/guarded-files.ts'
import { findSection } from './find-heading.ts'
import type { Paths } from './calls/paths.ts'
import { notShown } from './calls/shown-schema.ts'
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
    description: 'Reads a file with numbered lines: whole, some, or the section of a heading.',
    input: z.object({
      path: z.string(),
      heading: z.string().max(1000).optional(),
      startLine: z.number().int().min(1).optional(),
      endLine: z.number().int().min(1).optional(),
      lineCount: z.number().int().min(1).optional().meta(notShown),
      startColumn: z.number().int().min(1).optional().meta(notShown),
    }),
    run: async (
      { path: given, heading, startLine: from, endLine: to, lineCount, startColumn = 1 },
      signal,
    ) => {
      const source = await sources.of(await paths.file(given), signal)
      const path = `${source.prefix}${source.path}`
      if (holdsSecrets(source.path))
        throw new ToolError(
          'forbidden',
          `${quote(path)} is a file for secrets, which no page needs: go on without it`,
        )
      const { text, encoding, content } = await openText(source.workspace, source.path)
      const lines = splitLines(text)
      // An address may name a part of its page.
      const anchor = from === undefined && source.path !== given ? /#([^#?]+)$/.exec(given)?.[1] : undefined
      const section = sectionOf({ text, path: source.path }, lines, heading, anchor)
      const startLine = from ?? section?.first ?? 1
      const last = to ?? section?.last
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
        shown: [{ path, first: startLine, last: endLine }],
        content: numberLines(read, startLine),
      }
    },
  })
}

function sectionOf(
  { text, path }: { text: string; path: string },
  lines: readonly Line[],
  heading: string | undefined,
  anchor: string | undefined,
): { first: number; last: number } | undefined {
  const wanted = heading ?? anchor
  if (wanted === undefined || wanted.trim() === '') return undefined
  try {
    return findSection(
      lines.map(({ start, end }) => text.slice(start, end)),
      wanted,
      path,
    )
  } catch (error) {
    if (heading === undefined) return undefined
    throw error
  }
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
