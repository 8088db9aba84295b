import { setTimeout as delay } from 'node:timers/promises'
import { pause } from '../../lib/pause.ts'

/** What a page shows: a job, a project with its jobs, or the projects of an organization. */
export type Subject = { of: 'job' | 'project' | 'organization'; id: string }

/** Tells any number of viewers when what they look at has changed. It says nothing of what has changed. */
export interface Changes {
  /**
   * The version of a subject, and each new one from then on. Empty when there is no such thing any more. Yields
   * undefined whenever nothing has changed for `quiet` milliseconds. Ends when the signal aborts.
   */
  follow(
    subject: Subject,
    options: { quiet: number; signal: AbortSignal },
  ): AsyncGenerator<string | undefined, void>
}

/** Reads the versions of all these subjects at once; those that are missing do not exist. */
export type ReadVersions = (subjects: readonly Subject[]) => Promise<ReadonlyMap<string, string>>

interface Watched {
  subject: Subject
  version: string | undefined
  viewers: number
  /** Wakes the viewers. */
  waiting: Set<() => void>
}

/** Milliseconds between two looks at the database while somebody watches, and after one that failed. */
const pauses = { look: 300, trouble: 2000 }
/**
 * Milliseconds for each viewer over which the word is spread, so that fifty pages are not asked for in the same
 * moment.
 */
const spread = { each: 20, most: 2000 }

/** One loop follows everything that is watched in this process, with as many statements for one viewer as for all. */
export function createChanges(read: ReadVersions): Changes {
  const watched = new Map<string, Watched>()
  let looking = false

  const look = async (): Promise<void> => {
    const now = [...watched.values()]
    const versions = await read(now.map(({ subject }) => subject))
    for (const entry of now) {
      const version = versions.get(nameOf(entry.subject)) ?? ''
      if (entry.version === version) continue
      entry.version = version
      for (const wake of entry.waiting) wake()
    }
  }
  const lookWhileWatched = async (): Promise<void> => {
    if (looking) return
    looking = true
    while (watched.size > 0) {
      // The pages themselves say when the database is away.
      const milliseconds = await look().then(
        () => pauses.look,
        () => pauses.trouble,
      )
      await delay(milliseconds)
    }
    looking = false
  }
  const enter = (subject: Subject): Watched => {
    const name = nameOf(subject)
    const entry = watched.get(name) ?? { subject, version: undefined, viewers: 0, waiting: new Set() }
    entry.viewers++
    watched.set(name, entry)
    void lookWhileWatched()
    return entry
  }
  const leave = (entry: Watched): void => {
    entry.viewers--
    if (entry.viewers === 0) watched.delete(nameOf(entry.subject))
  }

  return {
    async *follow(subject, { quiet, signal }) {
      const entry = enter(subject)
      try {
        let told: string | undefined
        while (!signal.aborted) {
          if (entry.version === undefined || entry.version === told) {
            const isNew = await wordOf(entry, quiet, signal)
            if (!isNew && !signal.aborted) yield undefined
            continue
          }
          if (told !== undefined) {
            const most = Math.min(spread.most, spread.each * (entry.viewers - 1))
            await pause(Math.random() * most, signal)
          }
          told = entry.version
          yield told
        }
      } finally {
        leave(entry)
      }
    },
  }
}

export function nameOf(subject: Subject): string {
  return `${subject.of} ${subject.id}`
}

/** Waits for a new version. @returns false when none came in time */
async function wordOf({ waiting }: Watched, quiet: number, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const wake = (): void => resolve(true)
  const end = (): void => resolve(false)
  const timer = setTimeout(end, quiet)
  waiting.add(wake)
  signal.addEventListener('abort', end)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    waiting.delete(wake)
    signal.removeEventListener('abort', end)
  }
}
