import { visit } from 'unist-util-visit'
import { spanOf, startOf } from '../../markdown/page-tree.ts'
import { readCells } from '../../markdown/line.ts'
import { readFrontMatter } from '../../markdown/front-matter.ts'
import type { Finding } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'

/** Rows of tables that hold more than the table shows, and first-level headings beside the page's title. */
export function checkBlocks({ text, tree, isMarkdown, site, path }: FileVersion): Finding[] {
  if (!isMarkdown || tree === undefined) return []
  const findings: Finding[] = []
  const lines = text.split('\n')
  visit(tree, 'table', ({ children: [head, ...rows] }) => {
    const columns = head?.children.length ?? 0
    for (const row of rows) {
      const line = row.position?.start.line ?? 1
      const [start, end] = spanOf(row)
      const cells = row.children.length
      // The parser keeps cells that no column has, and browsers never show them.
      if (cells <= columns || readCells(text.slice(start, end)).length <= columns) continue
      findings.push({
        check: 'table',
        severity: 'warning',
        line,
        message: `The row has ${cells} cells and the table ${columns} columns: what is too much is not shown`,
        hint: 'Write `\\|` for a sign that separates no cells, or add a column',
        same: `row ${(lines[line - 1] ?? '').trim().slice(0, 100)}`,
      })
    }
  })
  if (site.pageFor(path) === undefined) return findings
  const { title } = readFrontMatter(text).data
  const titles = tree.children.flatMap((node) =>
    node.type === 'heading' && node.depth === 1 && text[startOf(node)] === '#'
      ? [node.position?.start.line ?? 1]
      : [],
  )
  const [first = 0, second] = titles
  if (second !== undefined)
    findings.push({
      check: 'heading',
      severity: 'warning',
      line: second,
      message: `The page has a second heading of the first level, after that in line ${first}`,
      hint:
        typeof title === 'string'
          ? 'Write ## for sections: the title is in front matter'
          : 'Write ## for sections',
      same: 'second title',
    })
  return findings
}
