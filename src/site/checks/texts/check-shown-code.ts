import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser'
import { visit } from 'unist-util-visit'
import { distance } from '../../../lib/text/distance.ts'
import type { Finding } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'

const maxLength = 100_000
/** Signs that an example leaves something out, or stands for something. */
const examples = /\.\.\.|…|\{\{|\{%|\$\{|<[A-Za-z][\w -]{0,100}>|^[ \t]{0,100}(?:#|\$ )|\[\[|\/\/|\/\*/m

/** Code blocks whose language says what they must be: JSON that cannot be read, and diagrams that Mermaid cannot draw. */
export function checkShownCode({ tree, isMarkdown }: FileVersion): Finding[] {
  if (!isMarkdown || tree === undefined) return []
  const findings: Finding[] = []
  visit(tree, 'code', ({ lang, value, position }) => {
    if (!position || value.length > maxLength) return
    const line = position.start.line
    const word = (lang ?? '').toLowerCase().replace(/^\{|\}$/g, '')
    if (word === 'json') findings.push(...faultOfJson(value, line))
    else if (word === 'mermaid') findings.push(...faultOfDiagram(value, line))
  })
  return findings
}

function faultOfJson(value: string, start: number): Finding[] {
  const text = value.trim()
  if (!/^[{[]/.test(text) || examples.test(text)) return []
  const errors: ParseError[] = []
  parse(value, errors, { allowTrailingComma: false, disallowComments: true })
  const [error] = errors
  if (error === undefined || /EndOfFileExpected/.test(printParseErrorCode(error.error))) return []
  const line = start + value.slice(0, error.offset).split('\n').length
  return [
    {
      check: 'fence',
      severity: 'warning',
      line,
      message: 'The code block says that it is JSON, and cannot be read as such',
      hint: 'Repair the JSON at this line, or name another language, such as `jsonc` or `text`',
      same: `json ${text.slice(0, 80)}`,
    },
  ]
}

/** What opens and what closes a block, by the kind of diagram. Newer kinds have no such blocks, or are not looked into. */
const blocks: readonly (readonly [kind: RegExp, opens: RegExp])[] = [
  [/^(?:graph|flowchart(?:-elk)?)\b/, /^subgraph\b/],
  [/^sequenceDiagram\b/, /^(?:alt|opt|loop|par|par_over|critical|break|rect|box)\b/],
]
const usualKinds = [
  'graph',
  'flowchart',
  'sequenceDiagram',
  'classDiagram',
  'stateDiagram',
  'erDiagram',
  'gantt',
  'pie',
  'journey',
  'gitGraph',
  'mindmap',
  'timeline',
  'quadrantChart',
  'requirementDiagram',
  'kanban',
  'architecture',
  'xychart',
  'sankey',
  'packet',
  'block',
]

/** `stateDiagram` of `stateDiagram-v2`. */
function withoutEdition(word: string): string {
  return word.replace(/-(?:v2|beta|elk)$/, '')
}

/** Whether a word is one of these kinds, mistyped. Others may be kinds of a newer version. */
function isMeant(kind: string, word: string): boolean {
  const [own, wanted] = [withoutEdition(word).toLowerCase(), kind.toLowerCase()]
  if (own === wanted) return true
  return own.length >= 5 && own.length <= 40 && distance(own, wanted) <= (wanted.length < 9 ? 1 : 2)
}

function faultOfDiagram(value: string, start: number): Finding[] {
  const lines = value.split('\n').map((text) => text.trim().replace(/;$/, ''))
  // Its own front matter and directives stand before the kind.
  const head = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
  const first = lines.findIndex((text, index) => index >= head && text !== '' && !text.startsWith('%%'))
  const kind = lines[first] ?? ''
  const fault = (index: number, message: string, hint: string): Finding[] => [
    { check: 'fence', line: start + 1 + Math.max(index, 0), message, hint, same: `diagram ${message}` },
  ]
  if (kind === '') return fault(0, 'The diagram is empty', 'Write the diagram, or take the block out')
  const [word = ''] = /^[\w-]+/.exec(kind) ?? []
  const meant = usualKinds.includes(withoutEdition(word))
    ? undefined
    : usualKinds.find((one) => isMeant(one, word))
  if (meant !== undefined) return fault(first, `Mermaid has no diagram type ${word}`, `Write ${meant}`)
  const opens = blocks.find(([one]) => one.test(kind))?.[1]
  if (opens === undefined) return []
  const open: number[] = []
  for (const [index, text] of lines.entries()) {
    if (index <= first || text.startsWith('%%')) continue
    if (opens.test(text)) open.push(index)
    else if (/^end$/.test(text) && open.pop() === undefined)
      return fault(index, 'An `end` in the diagram closes nothing', 'Remove it, or open the block before it')
  }
  const [left] = open
  return left === undefined
    ? []
    : fault(
        left,
        `The block ${(lines[left] ?? '').split(/\s/, 1)[0]} in the diagram has no \`end\``,
        'Close it with a line `end`',
      )
}
