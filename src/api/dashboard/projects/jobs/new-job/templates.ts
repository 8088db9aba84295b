import { commonTemplates, readTemplates, type Template } from '../../../../../features/agent/templates.ts'
import type { Project } from '../../../../../features/projects/projects.ts'
import type { DashboardPorts } from '../../../ports.ts'

export type TemplatesOf = (project: Project) => Promise<Template[]>

const mostKept = 200

/** The templates of projects: the common ones, and those of the repository as it was read last. */
export function createTemplates({ mirror }: Pick<DashboardPorts, 'mirror'>): TemplatesOf {
  const kept = new Map<string, Promise<Template[]>>()
  return async (project) => {
    const { commit } = project.sync
    if (commit === undefined) return [...commonTemplates]
    const key = `${project.id} ${commit}`
    const reading = kept.get(key) ?? mirror(project, [commit]).then((found) => readTemplates(found, commit))
    kept.set(key, reading)
    const oldest = kept.keys().next().value
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    // A repository that is out of reach has none for now.
    const own = await reading.catch(() => {
      kept.delete(key)
      return []
    })
    return [...own, ...commonTemplates]
  }
}
