import type { Repository } from '../../../integrations/git/git.ts'
import { messageOf } from '../../../lib/errors.ts'
import { createFairQueue, type FairQueue } from '../../../lib/fair-queue.ts'
import { makeStorable } from '../../../lib/text/plain-text.ts'
import { createTextThread, ThreadFailure, type TextThread } from '../../../lib/threads/text-thread.ts'
import type { SiteCheck } from '../../../site/checks/whole/check-site.ts'
import type { SiteProgress } from '../../../site/checks/whole/progress.ts'
import type { SiteProblem } from '../../../site/checks/whole/site-problem.ts'
import { parseReadingName } from '../../../site/text/text-guard.ts'
import type { SiteCheckColumn } from '../../../store/columns.ts'
import type { Store } from '../../../store/database.ts'
import { parserVersion } from '../fingerprint.ts'
import type { CheckThread } from './check-site.worker.ts'
import { claimCheck, endCheck, noteProgress, readCheck, type StoredCheck } from './stored-check.ts'

/** What a check needs to know of a project. */
interface CheckedProject {
  id: string
  organizationId: string
  root: string
  sync: { commit: string | undefined; unreadable: readonly { path: string; message: string }[] }
}

/** Checks whole sites in the background, once for each commit. */
export interface SiteChecks {
  /** What is known now. A check of the present commit begins where there is none. */
  look(project: CheckedProject): Promise<StoredCheck | undefined>
  /** Checks again, whatever is known. */
  again(project: CheckedProject): Promise<void>
  stop(): void
}

interface Ports {
  store: Store
  mirror(project: CheckedProject, commits: readonly string[]): Promise<Repository>
  reportError(error: unknown): void
}

/** Raised when the checks find more or something else. */
const checksVersion = 2
const mostKept = 3000
const mostTooMuch = 20
/**
 * Milliseconds of work for one site. Each begins in the first lane; one that is not done by then begins again in the
 * second, so that a large site keeps only other large ones waiting.
 */
const times = { first: 20_000, whole: 600_000 }
/** Milliseconds between two notes of progress, which also say that the process lives. */
const noteEvery = 1000

/** A thread that checks one site after the other; organizations take turns. */
interface Lane {
  total: number
  queue: FairQueue
  thread: TextThread<CheckThread>
}

export function createSiteChecks(ports: Ports, { first, whole } = times): SiteChecks {
  const { store } = ports
  const lanes = [first, whole].map((total): Lane => ({
    total,
    queue: createFairQueue({ atOnce: 1, each: 1, waiting: { each: 200, all: 5000 } }),
    thread: createTextThread<CheckThread>(new URL('check-site.worker.ts', import.meta.url), {
      deadline: 15_000,
      memory: 1024,
    }),
  }))
  const run = async (project: CheckedProject, commit: string, subject: string): Promise<void> => {
    const result = await checkOf(ports, lanes, { project, commit, subject }).then(
      (check) => ({ result: storable(check, project) }),
      (error: unknown) => {
        ports.reportError(error)
        return { error: makeStorable(messageOf(error)).slice(0, 1000) }
      },
    )
    await store.transaction((tx) => endCheck(tx, project.id, subject, result))
  }
  const begin = async (project: CheckedProject, subject: string): Promise<void> => {
    const { commit } = project.sync
    if (commit === undefined) return
    if (!(await store.transaction((tx) => claimCheck(tx, project.id, subject)))) return
    run(project, commit, subject).catch(ports.reportError)
  }
  return {
    async look(project) {
      const subject = subjectOf(project)
      const known = await readCheck(store.db, project.id, subject)
      const isBusy = known?.subject === subject && known.progress !== undefined
      const hasFailed = known?.subject === subject && known.error !== undefined
      if (isBusy || hasFailed || known?.found?.isCurrent === true) return known
      await begin(project, subject)
      return readCheck(store.db, project.id, subject)
    },
    again: (project) => begin(project, subjectOf(project)),
    stop: () => lanes.forEach(({ thread }) => thread.stop()),
  }
}

function subjectOf({ root, sync }: CheckedProject): string {
  return `${sync.commit ?? ''} ${checksVersion}.${parserVersion} ${root}`
}

async function checkOf(
  { store, mirror }: Ports,
  lanes: readonly Lane[],
  { project, commit, subject }: { project: CheckedProject; commit: string; subject: string },
): Promise<SiteCheck> {
  let last = 0
  let isWaiting = true
  const note = async (progress: SiteProgress): Promise<void> => {
    if (Date.now() - last < noteEvery) return
    last = Date.now()
    await store.transaction((tx) => noteProgress(tx, project.id, subject, progress))
  }
  // A check that waits for another one is alive as well.
  const waiting = setInterval(() => {
    if (isWaiting) void note({ phase: 'Waiting for another check', done: 0, total: 0 }).catch(() => undefined)
  }, 5000).unref()
  try {
    const repository = await mirror(project, [commit])
    const tooMuch = new Set<string>()
    let reading = ''
    for (const lane of lanes) {
      const leave = await lane.queue.enter(project.organizationId)
      isWaiting = false
      try {
        const check = await checkIn(lane, { repository, commit, root: project.root }, tooMuch, note)
        if (typeof check !== 'string') return check
        reading = check
      } finally {
        isWaiting = true
        leave()
      }
    }
    throw new Error(`The site takes too long to check; the last page that was read is ${reading}`)
  } finally {
    clearInterval(waiting)
  }
}

/**
 * A text that the thread cannot cope with is left out, and the check begins again without it.
 * @returns the page that was read when the lane's time was over, or when too many had been left out
 */
async function checkIn(
  { thread, total }: Lane,
  task: Omit<CheckThread['task'], 'tooMuch'>,
  tooMuch: Set<string>,
  note: (progress: SiteProgress) => Promise<void>,
): Promise<SiteCheck | string> {
  const began = performance.now()
  const worked = (): number => performance.now() - began
  for (;;) {
    try {
      return await thread.run(
        { ...task, tooMuch: [...tooMuch] },
        {
          // All tries together: other sites wait for their turn meanwhile.
          total: total - worked(),
          answer: note,
        },
      )
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error
      const read = error.text === undefined ? undefined : parseReadingName(error.text)
      if (worked() >= total) return read?.path ?? 'unknown'
      if (!read) throw error
      if (tooMuch.has(read.key) || tooMuch.size >= mostTooMuch) return read.path
      tooMuch.add(read.key)
    }
  }
}

function storable(check: SiteCheck, { sync }: CheckedProject): SiteCheckColumn {
  const known = new Set(sync.unreadable.map(({ path }) => path))
  const problems: SiteProblem[] = [
    ...sync.unreadable.map(({ path, message }) => ({ kind: 'unreadable' as const, path, line: 1, message })),
    ...check.problems.filter(({ kind, path }) => kind !== 'unreadable' || !known.has(path)),
  ]
  const counts: Record<string, number> = {}
  const doubtful: Record<string, number> = {}
  for (const { kind, isWarning } of problems) {
    counts[kind] = (counts[kind] ?? 0) + 1
    if (isWarning) doubtful[kind] = (doubtful[kind] ?? 0) + 1
  }
  // Of every kind some: the first thousands may all be of one.
  const share = Math.ceil(mostKept / Math.max(1, Object.keys(counts).length))
  const kept: Record<string, number> = {}
  const some = problems.filter(({ kind }) => {
    kept[kind] = (kept[kind] ?? 0) + 1
    return kept[kind] <= share
  })
  return {
    pages: check.pages,
    checkedLinks: check.checkedLinks,
    counts,
    doubtful,
    problems: some.map(({ path, message, hint, ...problem }) => ({
      ...problem,
      path: makeStorable(path),
      message: makeStorable(message),
      ...(hint !== undefined && { hint: makeStorable(hint) }),
    })),
    notLookedAt: check.notLookedAt,
    ignored: {
      count: check.ignored.count,
      wrong: check.ignored.wrong.map(({ line, message }) => ({ line, message: makeStorable(message) })),
    },
  }
}
