import type { CodeRequest } from '../../../integrations/forges/host.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import type { StateOfRequest } from '../previews/follow-code.ts'
import type { Rule } from '../rules/rule.ts'

/** A repository in which rules may wait for something. */
export interface WatchedRepository {
  /** Of a context repository; empty for the project's own. */
  name: string
  location: string
  /** The branch that is meant where a rule names none. */
  ref: string
  /** Branches and tags with their commits, without fetching anything that is not here. */
  list(signal: AbortSignal): Promise<Map<string, string>>
  /** With everything that `list` named. */
  open(signal: AbortSignal): Promise<Repository>
  /** Its open pull requests, those that changed last first, at most 50; undefined where nothing can be asked. */
  requests?: (() => Promise<readonly CodeRequest[]>) | undefined
  /** Asks for one of them, also when it has ended. */
  stateOfRequest?: StateOfRequest
}

/** What rules need to know of a project. */
export interface RuleProject {
  id: string
  location: string
  ref: string
  settings: {
    contextRepositories?: readonly { name: string; location: string }[] | undefined
    branchPrefix?: string | undefined
  }
}

type Named = Pick<RuleProject, 'location' | 'settings'>

/** The name of the repository that a rule means, as `WatchedRepository` has it; undefined where the project has none. */
export function repositoryNamed({ location, settings }: Named, repo: string | undefined): string | undefined {
  if (repo === undefined) return ''
  const contexts = settings.contextRepositories ?? []
  const wanted = repo.replace(/^@/, '').toLowerCase()
  if (contexts.some(({ name }) => name === wanted)) return wanted
  if (!wanted.includes('/')) return undefined
  const isAt = (place: string): boolean => {
    const path = place
      .toLowerCase()
      .replace(/\.git$/, '')
      .replace(/\/$/, '')
    return path === wanted || path.endsWith(`/${wanted}`)
  }
  if (isAt(location)) return ''
  return contexts.find((one) => isAt(one.location))?.name
}

/** What the project lacks for a rule, as sentences. */
export function missingRepositories(project: Named, rule: Rule): string[] {
  const { push = [], merged = [], pull = [], tag = [] } = rule.on ?? {}
  const named = [...[push, merged, pull, tag].flat().map(({ repo }) => repo), ...(rule.context ?? [])]
  const missing = named.filter(
    (repo): repo is string => repo !== undefined && repositoryNamed(project, repo) === undefined,
  )
  return [...new Set(missing)].map(
    (repo) => `The project has no context repository ${JSON.stringify(repo)}. Add it in the settings`,
  )
}

/** The repositories that rules wait for, by their names. */
export function watchedNames(project: Named, rules: readonly Rule[]): Set<string> {
  const repos = rules.flatMap(({ on }) =>
    [on?.push ?? [], on?.merged ?? [], on?.pull ?? [], on?.tag ?? []].flat(),
  )
  return new Set(repos.flatMap(({ repo }) => repositoryNamed(project, repo) ?? []))
}
