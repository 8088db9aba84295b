import { z } from '@hono/zod-openapi'

export const projectParameter = z.object({
  projectId: z.string().openapi({ description: 'Project identifier, from the API keys page.' }),
})

export const jobParameters = projectParameter.extend({
  id: z.string().openapi({ description: 'Job identifier.' }),
})
