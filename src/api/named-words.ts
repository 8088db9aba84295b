import { z } from '@hono/zod-openapi'

export const signInProvider = z
  .enum(['oidc', 'github'], 'must be oidc or github')
  .openapi('SignInProvider', { description: 'Who proves who someone is.' })
