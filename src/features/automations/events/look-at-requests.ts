import type { CodeRequest } from '../../../integrations/forges/host.ts'
import type { Store } from '../../../store/database.ts'
import { createPattern } from '../../../site/text/glob.ts'
import { activeAutomations, type Automation } from '../automations.ts'
import { noteCodeStates } from '../previews/follow-code.ts'
import { optOutOf, printable } from '../previews/opt-out.ts'
import { insertRun, type RuleEvent } from '../runs.ts'
import { repositoryNamed, type RuleProject, type WatchedRepository } from './repositories.ts'

const longestTitle = 200

/** Gives each rule its runs of pull requests that were opened or got other commits since the rule is there. */
export async function lookAtRequests(
  { store }: { store: Store },
  project: RuleProject,
  watched: Pick<WatchedRepository, 'name' | 'ref' | 'requests' | 'stateOfRequest'>,
): Promise<void> {
  if (watched.requests === undefined) return
  const rules = (await activeAutomations(store.db, project.id)).filter(
    ({ rule }) =>
      rule?.on?.pull?.some(({ repo }) => repositoryNamed(project, repo) === watched.name) === true,
  )
  if (rules.length === 0) return
  const open = await watched.requests()
  if (watched.stateOfRequest !== undefined)
    await noteCodeStates(
      store,
      { projectId: project.id, repository: watched.name },
      new Set(open.map(({ number }) => number)),
      watched.stateOfRequest,
    )
  const requests = open.filter((request) => isOfPerson(project, request))
  const happened = rules.flatMap((automation) =>
    requests
      .filter((request) => concerns(project, watched, automation, request))
      .map((request) => ({ automation, event: eventOf(watched.name, request) })),
  )
  if (happened.length === 0) return
  const known = await store.db
    .selectFrom('automation_runs')
    .select(['automation_id', 'event_key'])
    .where(
      'automation_id',
      'in',
      rules.map(({ id }) => id),
    )
    .where(
      'event_key',
      'in',
      happened.map(({ event }) => event.key),
    )
    .execute()
  const seen = new Set(known.map((row) => `${row.automation_id} ${row.event_key}`))
  const fresh = happened.filter(({ automation, event }) => !seen.has(`${automation.id} ${event.key}`))
  if (fresh.length === 0) return
  await store.transaction(async (tx) => {
    for (const { automation, event } of fresh) await insertRun(tx, automation, event)
  })
}

/** Neither a program's nor one that a job has opened. */
function isOfPerson({ settings }: RuleProject, { author, head, isFork }: CodeRequest): boolean {
  const isOwn = !isFork && head.startsWith(settings.branchPrefix ?? 'docwright/')
  return !isOwn && !author.endsWith('[bot]')
}

function concerns(
  project: RuleProject,
  { name, ref }: Pick<WatchedRepository, 'name' | 'ref'>,
  { rule, createdAt }: Automation,
  { base, updatedAt }: CodeRequest,
): boolean {
  // What nobody has touched since is none of a new rule's.
  if (updatedAt < createdAt) return false
  return (rule?.on?.pull ?? []).some(
    ({ repo, branch = ref }) => repositoryNamed(project, repo) === name && createPattern(branch)(base),
  )
}

function eventOf(name: string, request: CodeRequest): RuleEvent {
  const { number, base, headCommit, isFork, title } = request
  const optOut = optOutOf(request)
  return {
    key: `pull ${name} ${number} ${headCommit}${optOut === undefined ? '' : ' none'}`,
    cause: {
      kind: 'pull',
      ...(name !== '' && { repository: name }),
      branch: base,
      to: headCommit,
      number,
      title: printable(title).slice(0, longestTitle),
      ...(isFork && { isFork }),
      ...(optOut !== undefined && { optOut }),
    },
  }
}
