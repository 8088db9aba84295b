import { z } from '@hono/zod-openapi'
import { smallestAmount } from '../../lib/amount.ts'
import { defineVerb } from '../../verbs/verb.ts'

const kind = z
  .enum(['admin', 'assistant'], { error: 'must be admin or assistant' })
  .openapi('KeyKind', { description: 'An admin key is an organization’s, an assistant key one project’s.' })
const none = 'all when absent or empty.'
const newKeyBody = z
  .object({
    kind,
    organization: z.string().optional().describe('Owner of an admin key; the default one when absent.'),
    project: z.string().optional().describe('The project of an assistant key, by id or domain.'),
    name: z.string().max(200, 'must have at most 200 characters').optional(),
    origins: z.array(z.string()).optional().describe(`Web origins that may use an assistant key; ${none}`),
    scopes: z
      .array(z.string())
      .optional()
      .describe('What it may do; all but administration when absent or empty.'),
    addresses: z.array(z.string()).optional().describe(`Addresses and CIDR ranges that may use it; ${none}`),
    expiresInDays: z
      .number()
      .min(smallestAmount, 'must be above 0')
      .max(36_500, 'must be at most 36500')
      .optional(),
  })
  .openapi('CreateKey', { description: 'A key to make.' })

const madeKey = z
  .object({ id: z.string(), kind, key: z.string().describe('Shown here and never again.') })
  .openapi('NewKey', { description: 'A key that was made, which is shown once.' })

const keyBody = z
  .object({
    id: z.string(),
    kind,
    name: z.string(),
    hint: z.string().describe('The last characters, to tell keys apart.'),
    organization: z.string(),
    project: z.string().nullable(),
    origins: z.array(z.string()),
    scopes: z.array(z.string()),
    addresses: z.array(z.string()),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .openapi('Key', { description: 'An API key, without its secret.' })

export type Key = z.output<typeof keyBody>

const listQuery = z.object({
  project: z.string().optional().describe('Id or domain: lists only the keys for this project.'),
})

export const listKeys = defineVerb({
  name: 'listKeys',
  address: 'get /admin/keys',
  tag: 'API keys',
  summary: 'List keys',
  description: 'Oldest first, revoked ones included.',
  input: listQuery,
  output: z.array(keyBody),
  answer: [200, 'The keys'],
  errors: [404],
  fields: { project: { label: 'Project' } },
})

export const createKey = defineVerb({
  name: 'createKey',
  address: 'post /admin/keys',
  tag: 'API keys',
  summary: 'Create a key',
  description:
    'A key with the scope `keys` creates keys of its organization: assistant keys, and admin keys within its own scopes, IP addresses, and expiry.',
  input: newKeyBody,
  output: madeKey,
  answer: [201, 'The key, which is shown once'],
  errors: [404],
  fields: {
    kind: { label: 'Kind of key', option: '--kind <kind>', help: 'admin or assistant' },
    organization: {
      label: 'Organization',
      option: '--organization <id>',
      help: 'owner of an admin key (default: the default organization)',
    },
    project: { label: 'Project', option: '--project <id-or-domain>', help: 'project of an assistant key' },
    name: { label: 'Name', option: '--name <name>', help: 'what it is for' },
    origins: {
      label: 'Web origins that may use it, one per line',
      hint: 'empty: all',
      placeholder: 'https://docs.example.com',
      lines: true,
      option: '--origin <origin...>',
      help: 'web origins that may use an assistant key (default: all)',
    },
    scopes: {
      label: 'Scopes',
      option: '--scope <scope...>',
      help: 'scopes (default: all)',
    },
    addresses: {
      label: 'IP addresses or CIDR ranges that may use it, one per line',
      hint: 'empty: all',
      placeholder: '203.0.113.0/24',
      lines: true,
      option: '--address <address...>',
      help: 'IP addresses and CIDR ranges that may use it (default: all)',
    },
    expiresInDays: {
      label: 'Expires in (days)',
      hint: 'empty: never',
      option: '--expires <days>',
      help: 'days until it expires',
    },
  },
})

export const revokeKey = defineVerb({
  name: 'revokeKey',
  address: 'post /admin/keys/{id}/revoke',
  tag: 'API keys',
  summary: 'Revoke a key',
  description: 'The key stops working at once.',
  input: z.object({}),
  output: keyBody,
  answer: [200, 'The key'],
  fields: {},
})
