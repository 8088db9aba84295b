import type { RangeImpact } from '../../features/impact/assess-range.ts'
import { makePrintable } from '../../lib/text/plain-text.ts'
import { counted, countedPlural } from '../../lib/text/counted.ts'
import { styled, type Lines, type Text } from '../terminal-text.ts'

type Level = RangeImpact['pages'][number]['level']
type Finding = RangeImpact['pages'][number]['findings'][number]

const levels = ['certain', 'likely', 'look'] as const
const styles = { certain: 'red', likely: 'yellow', look: 'dim' } as const
const mostLook = 5

export function impactLines(impact: RangeImpact): Lines {
  const lines: (string | readonly Text[])[] = []
  for (const { path, level, why, findings } of impact.pages.filter(isShown)) {
    lines.push([styled(styles[level], level.padEnd(8)), styled('bold', path)])
    for (const reason of why) lines.push([`  ${reason}`])
    for (const one of findings.slice(0, 3).filter(({ places }) => places.length > 0))
      lines.push([styled('dim', `  ${path}:${one.places[0]?.line ?? one.lines[0]}  ${sectionOf(one)}`)])
  }
  const look = impact.pages.filter(({ level }) => level === 'look')
  if (look.length > 0) {
    lines.push([
      styled(
        'dim',
        `To look at, if there is time: ${look
          .slice(0, mostLook)
          .map(({ path }) => path)
          .join(', ')}${more(look.length)}`,
      ),
    ])
  }
  for (const name of impact.names.filter(({ isGone }) => isGone).slice(0, 20)) {
    const place = name.before && `${name.before.path}:${name.before.line}`
    lines.push([
      styled('cyan', name.name),
      ` ${name.words}`,
      styled('dim', place === undefined ? '' : `  ${place}`),
    ])
  }
  return [...lines, summary(impact), ...notes(impact).map((note) => [styled('dim', note)])]
}

/** For a comment or a report. What repositories say stands in code spans. */
export function impactMarkdown(impact: RangeImpact): string {
  const parts = [`**${summary(impact)}**`]
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
  return `${[...parts, ...notes(impact)].join('\n\n')}\n`
}

const titles: Record<Level, string> = { certain: 'Certain', likely: 'Likely', look: 'Look' }

function isShown({ level }: { level: Level }): boolean {
  return level !== 'look'
}

function summary({ pages, edited }: RangeImpact): string {
  const count = (level: Level): number => pages.filter((page) => page.level === level).length
  return `${count('certain')} certain, ${count('likely')} likely, ${edited.length} edited already, ${count('look')} to look at`
}

function notes({ commits, compared, leftOut, isPartial, mapProblem }: RangeImpact): string[] {
  const out = leftOut.map(({ why, count }) => `${count} ${why}`).join(', ')
  return [
    `${countedPlural(commits, 'commits')} compared with ${counted(compared, 'page')}${out === '' ? '' : `; left out: ${out}`}`,
    ...(isPartial ? ['Not all of the code could be read, so nothing is certain'] : []),
    ...(mapProblem === undefined ? [] : [`.docwright/map.yml is not used: ${mapProblem}`]),
  ]
}

function sectionOf({ heading, places }: Finding): string {
  const names = places.map(({ name }) => name).join(', ')
  return heading === '' ? names : `“${heading}”: ${names}`
}

function more(count: number): string {
  return count > mostLook ? ` and ${count - mostLook} more` : ''
}

function code(text: string): string {
  return `\`${makePrintable(text).replaceAll(/[`\r\n]/g, ' ')}\``
}

/** Sentences of ours that hold names in code spans. */
function plain(text: string): string {
  return makePrintable(text).replaceAll(/[<>@\r\n]/g, ' ')
}
