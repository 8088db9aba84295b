import { visit } from 'unist-util-visit'
import { z } from 'zod'
import type { SiteView } from '../../../../site/checks/site-view.ts'
import { fitTitles } from '../../../../site/restructured/fit-titles.ts'
import { markupTree } from '../../../../site/page-text.ts'
import { spanOf, type Span, treeOf } from '../../../../site/markdown/page-tree.ts'
import { contentHash } from '../../../../site/text/content-hash.ts'
import { decodeText, encodeEdited } from '../../../../site/text/encoding.ts'
import { applyEdits, lineFinder, type Edit } from '../../../../site/text/text-file.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import type { Change } from '../../workspace/base-tree.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { selectFiles } from '../find-files.ts'
import { type LineChange, lineChanges } from '../calls/line-changes.ts'
import type { PathGuard } from '../calls/guarded-files.ts'
import type { Paths } from '../calls/paths.ts'
import { changedLines } from './text-difference.ts'
import { notShown } from '../calls/shown-schema.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'
import { pageEnding } from '../../../../site/text/markup.ts'

const maxFiles = 2000
const maxPlaces = 20_000
const maxShown = 100
const maxText = 200
const maxDiff = 8000

export function replaceInFilesTool(
  workspace: Workspace,
  view: SiteView,
  { guard, paths }: { guard: PathGuard; paths: Paths },
): AgentTool {
  return defineTool({
    name: 'replace_in_files',
    changesFiles: true,
    description:
      'Replaces a text in many files, all Markdown unless paths. Without apply only shows the places.',
    input: z.object({
      search: z.string().min(1).max(2000),
      replace: z.string().max(20_000),
      paths: z.array(z.string().max(4000)).max(200).optional(),
      wholeWord: z.boolean().optional().meta(notShown),
      skipCode: z.boolean().optional(),
      apply: z.boolean().optional(),
    }),
    run: async ({
      search,
      replace,
      paths: given = [],
      wholeWord = false,
      skipCode = false,
      apply = false,
    }) => {
      if (!replace.isWellFormed() || replace.includes('\0'))
        throw new ToolError(
          'invalid_input',
          'The replacement contains a character that text files cannot contain',
        )
      const selection = selectFiles(workspace, await Promise.all(given.map(paths.some)))
      const wanted = given.length === 0 ? (path: string) => pageEnding.test(path) : selection.includes
      const [line = ''] = search.split('\n').filter((part) => part.trim() !== '')
      const options = {
        regex: false,
        ignoreCase: false,
        paths: selection.places,
        limit: maxFiles * 2,
        limitPerFile: 1,
      }
      const { matches } = await workspace.grep(line === '' ? search.trim() || ' ' : line, options)
      const names = [...new Set(matches.map(({ path }) => path))].filter(wanted).sort()
      const places: { path: string; line: number; text: string }[] = []
      const files: { path: string; count: number }[] = []
      const refused: string[] = []
      const changes: (Change & { path: string; diff: string; lines: LineChange[] | null })[] = []
      let total = 0
      for (const path of names.slice(0, maxFiles)) {
        const content = await workspace.read(path)
        const decoded = content && decodeText(content)
        if (decoded === undefined || !view.begin('page', path)) continue
        const { text } = decoded
        const edits = editsOf(text, { search, replace, wholeWord, code: skipCode ? codeIn(path, text) : [] })
        if (edits.length === 0) continue
        if (!(await guard.allows(path))) {
          refused.push(path)
          continue
        }
        total += edits.length
        if (total > maxPlaces)
          throw new ToolError('too_large', 'The text occurs too often: narrow it with `paths`')
        files.push({ path, count: edits.length })
        const lineOf = lineFinder(text)
        for (const { start } of edits) places.push({ path, line: lineOf(start), text: lineAt(text, start) })
        const edited = applyEdits(text, edits)
        const changed = path.endsWith('.rst') ? fitTitles(text, edited) : edited
        const diff = changedLines(text, changed, { context: 0, maxCharacters: 2000 }) ?? ''
        changes.push({
          path,
          content: encodeEdited(changed, decoded),
          diff,
          lines: lineChanges(text, changed) ?? null,
        })
      }
      const summary = {
        total,
        files,
        ...(refused.length > 0 ? { mayNotBeChanged: refused.slice(0, maxShown) } : {}),
      }
      if (!apply || changes.length === 0)
        return {
          applied: false,
          ...summary,
          places: places.slice(0, maxShown),
          shown: places
            .slice(0, maxShown)
            .flatMap(({ path, line, text }) => (text.includes('…') ? [] : { path, first: line, last: line })),
          truncated: places.length > maxShown,
        }
      workspace.apply(changes)
      let length = 0
      const diffs = changes.filter(({ diff }) => (length += diff.length) <= maxDiff)
      return {
        applied: true,
        ...summary,
        hashes: Object.fromEntries(
          changes.map(({ path, content = new Uint8Array() }) => [path, contentHash(content)]),
        ),
        edited: Object.fromEntries(changes.map(({ path, lines }) => [path, lines])),
        diff: diffs.map(({ path, diff }) => `${JSON.stringify(path)}\n${diff}`).join('\n'),
        truncated: diffs.length < changes.length,
      }
    },
  })
}

function editsOf(
  text: string,
  wanted: { search: string; replace: string; wholeWord: boolean; code: readonly Span[] },
): Edit[] {
  const { wholeWord, code } = wanted
  const isCrlf = text.includes('\r\n') && !wanted.search.includes('\r')
  const lines = (part: string) => (isCrlf ? part.replaceAll('\n', '\r\n') : part)
  const [search, replace] = [lines(wanted.search), lines(wanted.replace)]
  const edits: Edit[] = []
  for (let at = text.indexOf(search); at !== -1 && edits.length <= maxPlaces;) {
    const end = at + search.length
    const isInside = wholeWord && (isWord(text, at - 1, at) || isWord(text, end - 1, end))
    if (isInside || code.some((span) => at < span[1] && end > span[0])) {
      at = text.indexOf(search, at + 1)
      continue
    }
    edits.push({ start: at, end, text: replace })
    at = text.indexOf(search, end)
  }
  return edits
}

// Whether both characters belong to one word.
function isWord(text: string, one: number, other: number): boolean {
  return /\p{L}|\p{N}|_/u.test(text.charAt(one)) && /\p{L}|\p{N}|_/u.test(text.charAt(other))
}

const code = new Set(['code', 'inlineCode', 'mdxjsEsm', 'mdxFlowExpression', 'mdxTextExpression'])

/** Where a page has code, and in other markups what names something: attributes, blocks, targets. Of one that cannot be read, all of it. */
function codeIn(path: string, text: string): Span[] {
  const syntax = path.endsWith('.mdx') ? 'docs-mdx' : 'markdown'
  const other = markupTree(text, path)
  const tree = other ?? (pageEnding.test(path) ? treeOf(text, syntax) : undefined)
  if (tree === undefined) return [[0, text.length]]
  const spans: Span[] = []
  visit(tree, (node) => {
    const isElement = 'name' in node && (node.name === 'code' || node.name === 'pre')
    const isMark = other !== undefined && node.type === 'html'
    if (code.has(node.type) || isElement || isMark) spans.push(spanOf(node))
  })
  return spans
}

function lineAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const newline = text.indexOf('\n', at)
  const line = text.slice(start, newline === -1 ? text.length : newline).trimEnd()
  if (line.length <= maxText) return line
  const from = Math.max(0, Math.min(at - start - maxText / 2, line.length - maxText))
  return `${from > 0 ? '…' : ''}${line.slice(from, from + maxText).toWellFormed()}…`
}
