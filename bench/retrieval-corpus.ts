import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Page, Section } from '../src/site/pages/page.ts'

const documentSchema = z.object({ id: z.string(), path: z.string(), title: z.string(), text: z.string() })
const questionSchema = z.object({
  id: z.string(),
  query: z.string(),
  relevant: z.array(z.string()),
  kind: z.string(),
  exclude: z.array(z.string()).optional(),
})

export type CorpusDocument = z.infer<typeof documentSchema>
export type Question = z.infer<typeof questionSchema>

/** Names of the corpora in a folder: each a folder with `docs.jsonl.gz` and `queries-dev.jsonl`. */
export function corporaIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'docs.jsonl.gz')))
    .sort()
}

/** Documents are read one at a time: 40 MB of text in objects would count as the engines' memory. */
export function* documentsOf(folder: string, name: string): Generator<CorpusDocument> {
  const lines = gunzipSync(readFileSync(join(folder, name, 'docs.jsonl.gz')))
  for (let start = 0; start < lines.length;) {
    const found = lines.indexOf(10, start)
    const end = found < 0 ? lines.length : found
    if (end > start) yield documentSchema.parse(JSON.parse(lines.toString('utf8', start, end)))
    start = end + 1
  }
}

export function questionsOf(folder: string, name: string): Question[] {
  return readFileSync(join(folder, name, 'queries-dev.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => questionSchema.parse(JSON.parse(line)))
}

/**
 * Splits the text at `#` headings outside of code, blank ones included. The corpora are plain text already, and the parser
 * is not what is measured.
 */
export function pageOf(document: CorpusDocument): Page {
  const sections: Section[] = []
  let above: { level: number; text: string }[] = []
  let fence = ''
  let lines: string[] = []
  function close(): void {
    const headings = above.map((heading) => heading.text)
    const anchor = sections.length === 0 ? undefined : `section-${sections.length}`
    sections.push({ headings, anchor, text: lines.join('\n').trim() })
    lines = []
  }
  for (const line of document.text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined) {
      if (fence === '') fence = mark
      else if (mark.startsWith(fence)) fence = ''
    }
    const heading = fence === '' ? /^(#{1,6})(?:\s(.*))?$/.exec(line) : null
    if (heading === null) lines.push(line)
    else {
      close()
      const level = heading[1]?.length ?? 1
      above = [...above.filter((one) => one.level < level), { level, text: (heading[2] ?? '').trim() }]
    }
  }
  close()
  return {
    path: document.path,
    url: `/${document.id}`,
    title: document.title,
    description: undefined,
    language: undefined,
    version: undefined,
    groups: [],
    sections,
  }
}
