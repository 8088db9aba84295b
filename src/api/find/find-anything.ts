import { setImmediate as untilOthersHadTheirTurn } from 'node:timers/promises'
import { findJobs } from '../../features/agent/find-jobs.ts'
import { stateWords } from '../../features/agent/job-state.ts'
import { listVisibleProjects, type Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Store } from '../../store/database.ts'
import type { PageLists } from '../docs/navigation/page-list.ts'
import { docsPath } from '../render/docs-path.ts'
import { places, type Found } from './places.ts'

export interface FindPorts {
  store: Pick<Store, 'db'>
  pagesOf: PageLists
}

const longestQuery = 200
const mostWords = 8
/** Of each kind, unless the query is empty. */
const most = { action: 6, place: 8, project: 6, page: 12, job: 8 } as const
const mostOfEmpty = { action: 5, place: 6, project: 6, page: 0, job: 5 } as const
/** Projects whose pages are searched: the lists of more do not fit into memory together. */
const mostProjects = 12

/**
 * What a person may go to or do that fits a query, the best first; without a query what is done most.
 * @param asked.domain the project that comes first
 * @param asked.shown the organization that the person's session shows
 */
export async function findAnything(
  { store, pagesOf }: FindPorts,
  caller: Caller,
  { query, domain, shown }: { query: string; domain: string | undefined; shown: string | undefined },
): Promise<Found[]> {
  const projects = await listVisibleProjects(store.db, caller)
  const current = projects.find((project) => project.domain === domain)
  const words = hasUnstorable(query) ? [] : wordsOf(query)
  const limits = words.length === 0 ? mostOfEmpty : most
  const order = current ? [current, ...projects.filter(({ id }) => id !== current.id)] : projects
  const [pages, jobs] = await Promise.all([
    words.length === 0 ? [] : findPages(pagesOf, order, words),
    findJobs(
      store.db,
      (current && words.length === 0 ? [current] : projects).map(({ id }) => id),
      words,
      limits.job,
    ),
  ])
  const domains = new Map(projects.map((project) => [project.id, project.domain]))
  const matches: Found[] = [
    ...best(places(caller, order, { shown, words, most: Math.max(...Object.values(limits)) }), words),
    ...pages,
    ...jobs.map(({ id, projectId, title, state }): Found => {
      const name = domains.get(projectId) ?? ''
      return {
        kind: 'job',
        title,
        detail: `${name}, ${stateWords[state].toLowerCase()}`,
        url: `/projects/${name}/jobs/${id}`,
      }
    }),
  ]
  const counts = new Map<Found['kind'], number>()
  return matches.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= limits[kind]
  })
}

function wordsOf(query: string): string[] {
  return query
    .slice(0, longestQuery)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, mostWords)
}

async function findPages(
  pagesOf: PageLists,
  projects: readonly Project[],
  words: readonly string[],
): Promise<Found[]> {
  const matches: Found[] = []
  // The first project is the current one.
  for (const project of projects.slice(0, mostProjects)) {
    if (matches.length >= most.page) break
    const { pages } = await pagesOf(project)
    const list = pages.map(({ title, url }): Found => ({
      kind: 'page',
      title: title === '' ? url : title,
      detail: `${project.domain} ${url}`,
      url: docsPath(project.domain, url),
    }))
    matches.push(...best(list, words).slice(0, most.page))
    // Ten thousand pages take some milliseconds, and others wait for this thread.
    await untilOthersHadTheirTurn()
  }
  return matches
}

/** Those that hold every word, and of them first those whose title begins with the query or with its words. */
function best(all: readonly Found[], words: readonly string[]): Found[] {
  if (words.length === 0) return [...all]
  const query = words.join(' ')
  const scored = all.flatMap((one) => {
    const title = one.title.toLowerCase()
    const whole = `${title} ${one.detail.toLowerCase()}`
    if (!words.every((word) => whole.includes(word))) return []
    const inTitle = words.filter((word) => title.includes(word)).length
    const begins = words.filter((word) => title.startsWith(word) || title.includes(` ${word}`)).length
    return [{ one, score: (title.startsWith(query) ? 100 : 0) + inTitle * 10 + begins }]
  })
  return scored.sort((left, right) => right.score - left.score).map(({ one }) => one)
}
