import { commonTemplates, readTemplates, type Template } from '../../../../features/agent/templates.ts'
import type { OpenMirror, Project } from '../../../../features/projects/projects.ts'
import type { Models } from '../../../../integrations/models/model.ts'
import { keepNewest } from '../../../../lib/keep-newest.ts'

interface Ports {
  models: Models
  mirror: OpenMirror
}

export type TemplatesOf = (project: Project) => Promise<Template[]>

const mostKept = 200

export function usesBuiltin(
  { settings }: Pick<Project, 'settings'>,
  { models }: Pick<Ports, 'models'>,
): boolean {
  return (settings.model ?? models.defaultModel) === 'builtin'
}

/** Those that the model understands. The repository's own are among them: their authors know the model. */
export function understood(templates: readonly Template[], isBuiltin: boolean): Template[] {
  return templates.filter(
    ({ isRequest, name }) => !isBuiltin || isRequest === true || name.startsWith('own/'),
  )
}

/** The templates of projects: the common ones, and those of the repository as it was read last. */
export function createTemplates({ mirror }: Pick<Ports, 'mirror'>): TemplatesOf {
  const kept = new Map<string, Promise<Template[]>>()
  return async (project) => {
    const { commit } = project.sync
    if (commit === undefined) return [...commonTemplates]
    const key = `${project.id} ${commit}`
    const reading = kept.get(key) ?? mirror(project, [commit]).then((found) => readTemplates(found, commit))
    keepNewest(kept, mostKept, key, reading)
    // A repository that is out of reach has none for now.
    const own = await reading.catch(() => {
      kept.delete(key)
      return []
    })
    return [...own, ...commonTemplates]
  }
}
