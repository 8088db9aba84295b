import type { RangeImpact } from '../../features/impact/assess-range.ts'
import { impactNotes, impactSummary } from '../../features/impact/impact-markdown.ts'
import type { ReadMap } from '../../features/impact/read-map.ts'
import { counted } from '../../lib/text/counted.ts'
import { styled, type Lines, type Text } from '../terminal-text.ts'

type Level = RangeImpact['pages'][number]['level']
type Finding = RangeImpact['pages'][number]['findings'][number]

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
  return [...lines, impactSummary(impact), ...impactNotes(impact).map((note) => [styled('dim', note)])]
}

function isShown({ level }: { level: Level }): boolean {
  return level !== 'look'
}

function sectionOf({ heading, places }: Finding): string {
  const names = places.map(({ name }) => name).join(', ')
  return heading === '' ? names : `“${heading}”: ${names}`
}

function more(count: number): string {
  return count > mostLook ? ` and ${count - mostLook} more` : ''
}

const saidWords = { documents: 'documents it', never: 'never touched by it', leaveOut: 'left out' } as const

/** What is learned from history, the surest first. */
export function mapLines({ pairs, commits, hasFile, mapProblem }: ReadMap): Lines {
  return [
    ...pairs.map(({ code, page, together, of, said }) => [
      `${together} of ${of}`.padEnd(12),
      styled('bold', page),
      `  ${code}`,
      styled('cyan', said === undefined ? '' : `  ${saidWords[said]}`),
    ]),
    `${counted(commits, 'commit')} looked at. ${hasFile ? '.docwright/map.yml corrects this.' : 'Correct it in .docwright/map.yml.'}`,
    ...(mapProblem === undefined ? [] : [`.docwright/map.yml is not used: ${mapProblem}`]),
  ]
}
