import type { Repository } from '../../../integrations/git/git.ts'
import { anyGlob, createPattern } from '../../../site/text/glob.ts'
import type { Automation } from '../automations.ts'
import type { PushTrigger, Rule } from '../rules/rule.ts'
import type { RuleEvent } from '../runs.ts'
import { describeMove, tagBefore, type DescribedMove, type Move, type OwnWork } from './describe-moves.ts'
import { repositoryNamed, type RuleProject, type WatchedRepository } from './repositories.ts'

/** What is different in a repository since it was looked at last. */
export interface Moves {
  branches: readonly Move[]
  tags: readonly { tag: string; commit: string }[]
}

type Place = { project: RuleProject; watched: Pick<WatchedRepository, 'name' | 'ref'> }

/** Which branches and tags differ. A branch that is new has brought nothing yet: what is pushed to it next counts. */
export function movesBetween(
  before: Readonly<Record<string, string>>,
  now: ReadonlyMap<string, string>,
): Moves {
  const branches: Move[] = []
  const tags: { tag: string; commit: string }[] = []
  for (const [name, commit] of now) {
    const from = Object.hasOwn(before, name) ? before[name] : undefined
    if (name.startsWith('refs/tags/') && from === undefined) tags.push({ tag: name.slice(10), commit })
    if (name.startsWith('refs/heads/') && from !== undefined && from !== commit)
      branches.push({ branch: name.slice(11), from, to: commit })
  }
  return { branches, tags }
}

/** Whether a rule may have something to do with any of it, without looking into the repository. */
export function mayConcern(place: Place, rule: Rule, { branches, tags }: Moves): boolean {
  const { push = [], merged = [], tag = [] } = rule.on ?? {}
  return (
    branches.some(({ branch }) => [...push, ...merged].some((one) => isBranch(place, one, branch))) ||
    tags.some((one) => tag.some((trigger) => isTag(place, trigger, one.tag)))
  )
}

/** The events that moves are for each rule. */
export async function eventsOfRules(
  place: Place & { repository: Repository; own: OwnWork },
  automations: readonly Automation[],
  { branches, tags }: Moves,
  now: Date,
): Promise<{ automation: Automation; events: RuleEvent[] }[]> {
  const { repository, own, watched } = place
  const at = watched.name === '' ? {} : { repository: watched.name }
  const each = automations.map((automation) => ({ automation, events: [] as RuleEvent[] }))
  for (const move of branches) {
    const wanting = each.filter(
      ({ automation: { rule } }) => rule && mayConcern(place, rule, { branches: [move], tags: [] }),
    )
    if (wanting.length === 0) continue
    const described = await describeMove(repository, move, own)
    for (const { automation, events } of wanting)
      events.push(...eventsOfMove(place, automation, { move, described, at, now }))
  }
  for (const { tag, commit } of tags) {
    const wanting = each.filter(
      ({ automation: { rule } }) =>
        rule && mayConcern(place, rule, { branches: [], tags: [{ tag, commit }] }),
    )
    if (wanting.length === 0) continue
    const from = await tagBefore(repository, commit)
    const cause = { kind: 'tag', ...at, tag, to: commit, ...(from !== undefined && { from }) } as const
    for (const { events } of wanting) events.push({ key: `tag ${watched.name} ${tag} ${commit}`, cause })
  }
  return each.filter(({ events }) => events.length > 0)
}

function eventsOfMove(
  place: Place,
  { rule }: Automation,
  {
    move,
    described: { title, isNotable, merged, paths },
    at,
    now,
  }: { move: Move; described: DescribedMove; at: { repository?: string }; now: Date },
): RuleEvent[] {
  if (rule === undefined) return []
  const { branch, from, to } = move
  const place_ = `${place.watched.name} ${branch}`
  const wants = (triggers: readonly PushTrigger[]): boolean =>
    triggers.some((one) => isBranch(place, one, branch) && touches(one, paths))
  const events: RuleEvent[] = []
  if (title !== undefined && wants(rule.on?.push ?? [])) {
    const cause = { kind: 'push', ...at, branch, from, to, title, ...(isNotable && { isNotable }) } as const
    const group = rule.group && periodOf(rule.group, now)
    events.push(
      group === undefined
        ? { key: `push ${place_} ${from}..${to}`, cause }
        : { key: `push ${place_} ${rule.group} ${group.name}`, cause, dueAt: group.end },
    )
  }
  if (wants(rule.on?.merged ?? []))
    for (const { isNotable: isTold, ...one } of merged)
      events.push({
        key: `merged ${place.watched.name} ${one.number}`,
        cause: { kind: 'merged', ...at, branch, ...one, ...(isTold && { isNotable: isTold }) },
      })
  return events
}

function isBranch(
  { project, watched }: Place,
  { repo, branch = watched.ref }: PushTrigger,
  name: string,
): boolean {
  return repositoryNamed(project, repo) === watched.name && createPattern(branch)(name)
}

function isTag(
  { project, watched }: Place,
  { repo, name = '*' }: { repo?: string | undefined; name?: string | undefined },
  tag: string,
): boolean {
  return repositoryNamed(project, repo) === watched.name && createPattern(name)(tag)
}

function touches({ paths }: PushTrigger, changed: readonly string[]): boolean {
  return paths === undefined || changed.some(anyGlob(paths))
}

/** The day or week of a moment, by UTC. Weeks begin on Monday. */
export function periodOf(group: 'day' | 'week', now: Date): { name: string; end: Date } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const back = group === 'day' ? 0 : (now.getUTCDay() + 6) % 7
  const start = new Date(Date.UTC(year, month, day - back))
  return {
    name: start.toISOString().slice(0, 10),
    end: new Date(Date.UTC(year, month, day - back + (group === 'day' ? 1 : 7))),
  }
}
