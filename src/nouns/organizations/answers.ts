import { z } from '@hono/zod-openapi'

export const oneOrganization = z
  .object({
    id: z.string(),
    name: z.string(),
    default: z.boolean().describe('Used when no organization is given.'),
    createdAt: z.iso.datetime(),
  })
  .openapi('Organization', { description: 'An organization, which has projects and members.' })
