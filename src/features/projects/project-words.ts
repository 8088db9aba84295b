import { z } from 'zod'
import { visibilities } from './visibility.ts'

// Terminal commands load this file, so it may load nothing of the server.

export const repositoryKind = z
  .enum(['path', 'https'])
  .meta({ id: 'RepositoryKind', description: 'A folder on the server, or a git host.' })

export const givenVisibility = z
  .enum(visibilities, 'must be public, key or signed-in')
  .meta({ id: 'Visibility', description: 'Who may read the pages that this server renders.' })
