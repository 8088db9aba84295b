import { parseReadingName } from '../../site/text/text-guard.ts'
import type { ThreadFailure } from '../../lib/threads/text-thread.ts'

/** Texts of one turn that a thread could not cope with before all of what is asked for counts as too much. */
const mostOfTurn = 5
/** Milliseconds for which a project's page is left alone: it may have been the machine. */
const remembered = 3_600_000
const mostOfProject = 200
const mostProjects = 1000

/** Nothing more can be said of what was asked for: it takes too long. */
export class TooMuch extends Error {
  /** The text to name. */
  readonly path: string

  constructor(path: string) {
    super(`It takes too long to read ${path === '' ? 'this' : path}`)
    this.name = 'TooMuch'
    this.path = path
  }
}

/** What took too long in a turn, and, of the project's pages, in turns before: nobody waits for those twice. */
export interface TurnTexts {
  keys(): string[]
  /** Takes note of the text that a thread ended with. @throws TooMuch when that leads nowhere */
  note(failure: ThreadFailure): void
}

export function createTooMuch(): (projectId: string) => TurnTexts {
  const projects = new Map<string, Map<string, number>>()
  return (projectId) => {
    const own = new Set<string>()
    const pages = projects.get(projectId) ?? new Map<string, number>()
    return {
      keys: () => [
        ...own,
        ...[...pages].filter(([, at]) => at > Date.now() - remembered).map(([key]) => key),
      ],
      note(failure) {
        // One that never started is no text's fault.
        if (failure.text === undefined && failure.reason === 'crash') throw failure
        const { purpose, path, key } = parseReadingName(failure.text ?? '')
        if (failure.text === undefined || own.has(key) || own.size >= mostOfTurn) throw new TooMuch(path)
        own.add(key)
        if (purpose !== 'page') return
        pages.delete(key)
        pages.set(key, Date.now())
        projects.set(projectId, pages)
        dropOldest(pages, mostOfProject)
        dropOldest(projects, mostProjects)
      },
    }
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
