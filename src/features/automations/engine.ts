import type { Repository } from '../../integrations/git/git.ts'
import { endingSignal } from '../../lib/ending-signal.ts'
import { resolveReference } from '../../integrations/git/resolve-reference.ts'
import type { Store } from '../../store/database.ts'
import { storeFiles } from './automations.ts'
import { alignWatches, isWatched, lookAtRepository, takeDueWatches } from './events/look.ts'
import { lookAtRequests } from './events/look-at-requests.ts'
import type { RuleProject, WatchedRepository } from './events/repositories.ts'
import { runGaps, runSchedules } from './events/scheduled.ts'
import { mergeReady, type MergeIfReady } from './merge-ready.ts'
import { followCode, type FollowCode } from './previews/follow-code.ts'
import { takeDuePreviews } from './previews/table.ts'
import { tellPreview, type PreviewHost } from './previews/tell-preview.ts'
import { readRuleFiles } from './rules/read-files.ts'
import { listDueRuns } from './runs.ts'
import type { StartPorts } from './start/ports.ts'
import { startRun } from './start/start-run.ts'

interface EnginePorts extends StartPorts {
  ownEmails: readonly string[]
  /** Seconds between two looks at a repository of which no host tells. */
  interval: number
  /** The project's own repository by the empty name; undefined for one that it does not have. */
  watched(projectId: string, name: string): Promise<WatchedRepository | undefined>
  /** A repository at its host, by the same names; undefined where it cannot be asked. */
  hosted(projectId: string, name: string): Promise<PreviewHost | undefined>
  /** Where people see what the rules of a project did; undefined when it is gone. */
  automationsLink(projectId: string): Promise<string | undefined>
  mergeIfReady: MergeIfReady
  followCode: FollowCode
  now(): Date
  reportError(error: unknown, projectId: string): void
  stopping: AbortSignal
}

/** What makes rules work. Each part can be done by several processes at once, and repeated. */
export interface AutomationEngine {
  /** Reads the rules of a repository that was just fetched, and what happened in it. */
  noteSync(projectId: string, repository: Repository): Promise<void>
  /** Finds times that have come and gaps that are large enough, and notes which repositories rules look at. */
  findEvents(): Promise<void>
  /** Looks at context repositories that are due. */
  lookAround(): Promise<void>
  /** Says what is new on pull requests of code, and lets those of their documentation follow. */
  tellPreviews(): Promise<void>
  /** Merges pull requests of rules that merge by themselves. */
  mergeReady(): Promise<void>
  /** Begins the runs that are due. */
  startRuns(): Promise<void>
}

const mostWatches = 20
/** Milliseconds for one repository, which may have to be fetched. */
const longestLook = 300_000
const mostRuns = 20
const mostPreviews = 10

export function createAutomationEngine(ports: EnginePorts): AutomationEngine {
  const { store, stopping } = ports
  const look = async (project: RuleProject, name: string): Promise<void> => {
    const watched = await ports.watched(project.id, name)
    if (!watched) return
    // Others wait behind it.
    using looking = endingSignal({ signals: [stopping], milliseconds: longestLook })
    await lookAtRepository(ports, project, watched, looking.signal)
    await lookAtRequests(ports, project, watched)
  }
  const tell = async (projectId: string, work: () => Promise<void>): Promise<void> => {
    stopping.throwIfAborted()
    await work().catch((error: unknown) => {
      stopping.throwIfAborted()
      ports.reportError(error, projectId)
    })
  }
  const align = (projectId: string): Promise<void> =>
    tell(projectId, async () => {
      const project = await ports.openProject(projectId)
      if (project === undefined) return
      const hadOwn = await isWatched(store.db, projectId, '')
      await alignWatches(store, project)
      if (!hadOwn && (await isWatched(store.db, projectId, ''))) await look(project, '')
    })
  return {
    async noteSync(projectId, repository) {
      const project = await ports.openProject(projectId)
      const commit = project && (await resolveReference(repository, `refs/heads/${project.ref}`))
      if (project === undefined || commit === undefined) return
      const files = await readRuleFiles(repository, commit)
      if (files.length > 0 || (await hasFiles(store, projectId)))
        await store.transaction((tx) => storeFiles(tx, projectId, files))
      await alignWatches(store, project)
      if (await isWatched(store.db, projectId, '')) await look(project, '')
    },
    async findEvents() {
      await runSchedules(store, ports.now())
      await runGaps(store)
      for (const projectId of await projectsWithRules(store)) await align(projectId)
    },
    async lookAround() {
      const due = await store.transaction((tx) =>
        takeDueWatches(tx, { seconds: ports.interval, limit: mostWatches }),
      )
      for (const { projectId, name } of due)
        await tell(projectId, async () => {
          const project = await ports.openProject(projectId)
          if (project) await look(project, name)
        })
    },
    async tellPreviews() {
      for (const preview of await takeDuePreviews(store, mostPreviews))
        await tell(preview.projectId, async () => {
          const link = await ports.automationsLink(preview.projectId)
          await followCode(store, preview, ports.followCode)
          const host = await ports.hosted(preview.projectId, preview.repository ?? '')
          await tellPreview(store, preview, host, link)
        })
    },
    mergeReady: () => mergeReady(store, ports.mergeIfReady, tell),
    async startRuns() {
      for (const run of await listDueRuns(store.db, mostRuns))
        await tell(run.projectId, () => startRun(ports, run, stopping))
    },
  }
}

async function hasFiles(store: Store, projectId: string): Promise<boolean> {
  const row = await store.db
    .selectFrom('automations')
    .select('id')
    .where('project_id', '=', projectId)
    .where('path', 'is not', null)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function projectsWithRules(store: Store): Promise<string[]> {
  const rules = store.db.selectFrom('automations').select('project_id').where('removed_at', 'is', null)
  const rows = await rules.union(store.db.selectFrom('automation_watches').select('project_id')).execute()
  return rows.map(({ project_id: id }) => id)
}
