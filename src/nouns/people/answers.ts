import { z } from '@hono/zod-openapi'
import { roles } from '../../features/projects/roles.ts'

export const role = z
  .enum(roles, 'must be owner, editor or viewer')
  .openapi('Role', { description: 'What a person may do in an organization.' })

export const emptyBody = z.object({}).openapi('Empty', { description: 'Nothing more to say: it is done.' })
