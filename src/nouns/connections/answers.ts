import { z } from '@hono/zod-openapi'
import { hostKind } from '../projects/answers.ts'

export const hostBody = z
  .object({
    kind: hostKind,
    site: z.string(),
    path: z.string(),
    fork: z.string().nullable(),
    login: z.string().nullable().describe('The account of the credential, as the host names it.'),
    credential: z.enum(['project', 'server']).nullable().describe('Whose credential is used.'),
    credentialKind: z
      .enum(['token', 'github_app'])
      .nullable()
      .describe('Null when there is no credential, or when it cannot be decrypted.'),
    expiresAt: z.iso.datetime().nullable(),
    defaultBranch: z.string().nullable(),
    webhook: z.object({
      state: z.enum(['none', 'active']),
      url: z.string().nullable(),
      secret: z
        .string()
        .nullable()
        .describe('For setting up the webhook at the host by hand; only shown to the operator’s token.'),
      calledAt: z.iso.datetime().nullable(),
    }),
    notes: z.array(z.string()).describe('What prevents jobs from running.'),
    problem: z.string().nullable().describe('Why the host can’t be reached.'),
  })
  .openapi('Host', { description: 'How a project is connected to its git host.' })
