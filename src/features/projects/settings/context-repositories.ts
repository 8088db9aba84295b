import { z } from '@hono/zod-openapi'

/** Repositories that the agent may read and search besides its own. */

export const repositoryKind = z
  .enum(['path', 'https'])
  .meta({ id: 'RepositoryKind', description: 'A folder on the server, or a git host.' })

const contextRepository = z
  .strictObject({
    /** The name by which the agent refers to it: `@name`. */
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,40}$/, 'must be a short name of a to z, 0 to 9 and hyphens')
      .meta({ example: 'api-docs' }),
    kind: repositoryKind,
    /** Real path of a registered folder, or URL without credentials. */
    location: z.string().min(1).max(1000),
    ref: z.string().min(1).max(250),
  })
  .meta({
    id: 'ContextRepository',
    description: 'Another repository that the agent can read and search.',
  })

export type ContextRepository = z.infer<typeof contextRepository>

export const mostContextRepositories = 10

export const contextRepositories = z.array(contextRepository).max(mostContextRepositories)

const [place, branch] = ['must be a folder or an https address', 'must be the name of a branch']

/** What people give for a context repository: an absolute path on this machine or an https URL. */
export const namedRepository = z
  .strictObject({
    name: contextRepository.shape.name,
    location: z.string().min(1, place).max(1000, place),
    ref: z.string().min(1, branch).max(250, branch).optional(),
  })
  .meta({ id: 'NamedRepository', description: 'A context repository, as it is added.' })

export const namedRepositories = z
  .array(namedRepository)
  .max(mostContextRepositories, `must be at most ${mostContextRepositories} repositories`)
