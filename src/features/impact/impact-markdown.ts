import { makePrintable } from '../../lib/text/plain-text.ts'
import { counted, countedPlural } from '../../lib/text/counted.ts'
import type { RangeImpact } from './assess-range.ts'

type Level = RangeImpact['pages'][number]['level']

const levels = ['certain', 'likely', 'look'] as const

/** For a comment or a report. What repositories say stands in code spans. */
export function impactMarkdown(impact: RangeImpact): string {
  const parts = [`**${impactSummary(impact)}**`]
  for (const level of levels) {
    const pages = impact.pages.filter((page) => page.level === level)
    if (pages.length === 0) continue
    const list = pages
      .slice(0, level === 'look' ? 10 : 40)
      .map(({ path, why, findings }) => {
        const [first] = findings.flatMap(({ places }) => places)
        const place = first === undefined ? path : `${path}:${first.line}`
        return `- ${code(place)}${why.length === 0 ? '' : `: ${why.map(plain).join(' ')}`}`
      })
      .join('\n')
    parts.push(
      level === 'look'
        ? `<details><summary>${counted(pages.length, 'page')} to look at</summary>\n\n${list}\n\n</details>`
        : `### ${titles[level]}\n\n${list}`,
    )
  }
  const added = impact.undocumented.slice(0, 10).map(({ name }) => code(name))
  if (added.length > 0) parts.push(`New, and on no page: ${added.join(', ')}`)
  return `${[...parts, ...impactNotes(impact)].join('\n\n')}\n`
}

const titles: Record<Level, string> = { certain: 'Certain', likely: 'Likely', look: 'Look' }

/** What to do, in a line. */
export function impactSummary({ pages, edited }: RangeImpact): string {
  const count = (level: Level): number => pages.filter((page) => page.level === level).length
  return `${count('certain')} certain, ${count('likely')} likely, ${edited.length} edited already, ${count('look')} to look at`
}

/** What was compared, and what is missing. */
export function impactNotes({ commits, compared, leftOut, isPartial, mapProblem }: RangeImpact): string[] {
  const out = leftOut.map(({ why, count }) => `${count} ${why}`).join(', ')
  return [
    `${countedPlural(commits, 'commits')} compared with ${counted(compared, 'page')}${out === '' ? '' : `; left out: ${out}`}`,
    ...(isPartial ? ['Not all of the code could be read, so nothing is certain'] : []),
    ...(mapProblem === undefined ? [] : [`.docwright/map.yml is not used: ${mapProblem}`]),
  ]
}

function code(text: string): string {
  return `\`${makePrintable(text).replaceAll(/[`\r\n]/g, ' ')}\``
}

/** Sentences of ours that hold names in code spans. */
function plain(text: string): string {
  return makePrintable(text).replaceAll(/[<>@\r\n]/g, ' ')
}
