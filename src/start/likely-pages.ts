import type { RunPorts } from '../features/agent/turns/turn-run.ts'
import { namedPages } from '../features/docs/named-pages.ts'
import { searchDocs } from '../features/docs/search-docs.ts'
import { findProject } from '../features/projects/projects.ts'
import type { Services } from './open-services.ts'

const named = 20
const found = 5

/** The pages that a prompt names, and the first that a search for it finds. */
export function likelyPagesIn({ store, indexes }: Services): RunPorts['likelyPages'] {
  return async ({ id }, prompt) => {
    const project = await findProject(store.db, id)
    if (!project) return []
    const { hits } = await searchDocs(indexes, project, { query: prompt.slice(0, 1000), limit: found })
    const names = await namedPages(store.db, id, prompt, named)
    return [...new Set([...names, ...hits.map(({ path }) => path)])]
  }
}
