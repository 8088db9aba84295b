import type { Rule } from '../../features/automations/rules/rule.ts'
import type { RunCauseColumn } from '../../store/columns.ts'

/** When a rule runs, in words. */
export function triggersOf({ on, group }: Rule): string[] {
  const { push = [], merged = [], pull = [], tag = [], schedule, gap } = on ?? {}
  const batch = group === undefined ? '' : `, once a ${group}`
  const place = (repo: string | undefined, branch: string | undefined): string =>
    [branch ?? 'the default branch', ...(repo === undefined ? [] : [`of ${repo}`])].join(' ')
  const words = [
    ...push.map(({ repo, branch }) => `Push to ${place(repo, branch)}${batch}`),
    ...merged.map(({ repo, branch }) => `Pull request merged into ${place(repo, branch)}`),
    ...pull.map(({ repo, branch }) => `Pull request for ${place(repo, branch)} opened or updated`),
    ...tag.map(({ repo, name = 'any name' }) => `New tag ${name}${repo === undefined ? '' : ` of ${repo}`}`),
    ...(schedule ? [`Schedule ${schedule.cron} (${schedule.zone})`] : []),
    ...(gap ? [`Content gap with at least ${gap.questions} questions`] : []),
  ]
  return words.length === 0 ? ['Call'] : words
}

/** What started a run, in words of ours: what authors call it stands beside it. */
export function causeWords(cause: RunCauseColumn): string {
  const { kind, repository, branch, number, tag, from, to, at, events = 1 } = cause
  const where = repository === undefined ? '' : ` of @${repository}`
  const range = [from, to].flatMap((commit) => commit?.slice(0, 9) ?? []).join('..')
  if (kind === 'push') return `${events === 1 ? 'Push' : `${events} pushes`} to ${branch}${where}, ${range}`
  if (kind === 'merged') return `Pull request #${number}${where} merged into ${branch}`
  if (kind === 'pull') return `Pull request #${number}${where} at ${to?.slice(0, 9)}`
  if (kind === 'tag') return `Tag ${tag}${where}`
  if (kind === 'schedule') return `Schedule, ${at?.slice(0, 16).replace('T', ' ')} UTC`
  if (kind === 'gap') return `Content gap ${cause.gapId}`
  return `Call${cause.by === undefined ? '' : ` by ${cause.by.name.replace(/^The /, 'the ')}`}`
}
