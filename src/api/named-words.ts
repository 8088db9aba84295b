import { z } from '@hono/zod-openapi'
import { roles } from '../features/projects/person.ts'

/** The words that several operations ask for and answer with. */
export const role = z
  .enum(roles, 'must be owner, editor or viewer')
  .openapi('Role', { description: 'What a person may do in an organization.' })

export const signInProvider = z
  .enum(['oidc', 'github'], 'must be oidc or github')
  .openapi('SignInProvider', { description: 'Who proves who somebody is.' })
