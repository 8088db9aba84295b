import { createHash } from 'node:crypto'
import type { CheckProblem, FolderCheck } from '../../features/docs/check-folder/check-folder.ts'
import { makePrintable } from '../../lib/text/plain-text.ts'
import { jsonText, styled, type Lines, type Text } from '../terminal-text.ts'
import { counted, countedPlural } from '../../lib/text/counted.ts'

export const formats = ['text', 'json', 'github', 'gitlab'] as const
export type CheckFormat = (typeof formats)[number]

/** Annotations that GitHub shows at the lines of a pull request; it takes ten errors and ten warnings of a step. */
export function githubAnnotations({ problems }: FolderCheck): string {
  return problems
    .map((problem) => {
      const { path, line, check, severity } = problem
      const place = `file=${property(path)},line=${line},title=${property(check)}`
      return `::${severity ?? 'error'} ${place}::${data(sentenceOf(problem))}\n`
    })
    .join('')
}

// The escapes of GitHub's workflow commands: without them a file name or a message could be a command of its own.
function data(text: string): string {
  return makePrintable(text).replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** A code quality report of GitLab, as its merge requests show it. */
export function gitlabReport({ problems }: FolderCheck): string {
  const seen = new Map<string, number>()
  const report = problems.map((problem) => {
    const { check, path, line, severity } = problem
    // The same problem keeps its fingerprint when it moves to another line.
    const same = JSON.stringify([check, path, problem.message])
    const count = seen.get(same) ?? 0
    seen.set(same, count + 1)
    return {
      description: sentenceOf(problem),
      check_name: check,
      fingerprint: createHash('sha256').update(`${same} ${count}`).digest('hex'),
      severity: severity === 'warning' ? 'minor' : 'major',
      location: { path, lines: { begin: line } },
    }
  })
  return `${jsonText(report)}\n`
}

function sentenceOf({ message, hint }: CheckProblem): string {
  return hint === undefined ? message : `${message}. ${hint}`
}

export function checkLines(check: FolderCheck): Lines {
  const { problems, pages, framework, leftOut, notLookedAt, ignored, base } = check
  const lines: (string | readonly Text[])[] = []
  for (const [path, found] of Map.groupBy(problems, (problem) => problem.path)) {
    lines.push([styled('bold', path)])
    for (const { line, message, hint, severity, check: name } of found) {
      const mark = severity === 'warning' ? styled('yellow', 'warning') : styled('red', 'error')
      lines.push([`  ${line}  `, mark, `  ${message} `, styled('dim', `(${name})`)])
      if (hint !== undefined) lines.push([styled('dim', `      ${hint}`)])
    }
    lines.push('')
  }
  for (const path of leftOut) lines.push([styled('yellow', `${path} took too long to read and was left out`)])
  const { errors, warnings } = countProblems(problems)
  const what = `${counted(pages, 'page')} (${framework})`
  const since = base === undefined ? '' : `, compared with ${base.slice(0, 10)}`
  lines.push(
    errors + warnings === 0
      ? [styled('green', 'No problem found'), ` in ${what}${since}`]
      : `${counted(errors, 'error')} and ${counted(warnings, 'warning')} in ${what}${since}`,
  )
  for (const { line, message } of ignored.wrong)
    lines.push([styled('yellow', `.docwright/ignore.yml:${line}  ${message}`)])
  if (ignored.count > 0)
    lines.push([styled('dim', `Ignored: ${counted(ignored.count, 'problem')} (.docwright/ignore.yml)`)])
  for (const { kind, count } of notLookedAt.slice(0, 5))
    lines.push([styled('dim', `Not checked: ${countedPlural(count, kind)}`)])
  return lines
}

export function countProblems(problems: readonly CheckProblem[]): { errors: number; warnings: number } {
  const warnings = problems.filter(({ severity }) => severity === 'warning').length
  return { errors: problems.length - warnings, warnings }
}
