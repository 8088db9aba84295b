import { z } from '@hono/zod-openapi'
import { advised } from '../../features/server/health.ts'
import { modelVariables } from '../../lib/model-variables.ts'

export const commitIdentity = z
  .object({
    name: z.string(),
    email: z.string(),
    signing: z
      .object({
        publicKey: z.string().describe('In one line, as git hosts take it.'),
        fingerprint: z.string().describe('`SHA256:…`, as `ssh-keygen -l` prints it.'),
      })
      .nullable()
      .describe('Null when commits are not signed.'),
  })
  .openapi('CommitIdentity', { description: 'Who the commits of the server are of.' })

export const secretCounts = z
  .object({
    resealed: z.int().describe('Encrypted again by this request.'),
    current: z.int().describe('Already encrypted with the current key.'),
    earlier: z.int().describe('Still encrypted with an earlier key.'),
    unreadable: z.array(z.string()).describe('The names of those that no key can decrypt.'),
  })
  .openapi('Secrets', { description: 'Which secrets the server can decrypt.' })

export const findKinds = ['action', 'place', 'project', 'page', 'job'] as const

export const foundPlace = z
  .object({
    kind: z.enum(findKinds),
    title: z.string(),
    detail: z.string(),
    url: z.string().describe('A path of this server.'),
    form: z.boolean().describe('Whether it is done by sending a form to that path.'),
  })
  .openapi('Found', { description: 'What a search in the dashboard found.' })

const time = z.iso.datetime()

export const modelCheck = z
  .object({
    detail: z.string().describe('What the model is good for, in sentences.'),
    warning: z.boolean().describe('Whether it is slower than readers or jobs can wait for.'),
  })
  .openapi('ModelCheck', { description: 'Outcome of a test of a configured model.' })

export const serverState = z
  .object({
    version: z.string(),
    startedAt: time,
    queue: z.object({
      waiting: z.int().describe('Queued prompts for a worker.'),
      oldest: time.nullable().describe('When the first of them was sent.'),
      running: z.int(),
      parked: z.array(z.object({ of: z.string(), count: z.int() })).describe('By what they wait for.'),
      syncs: z.int().describe('Repositories that are to be read, or are read now.'),
    }),
    processes: z.array(
      z.object({
        kind: z.enum(['serve', 'worker']),
        host: z.string(),
        pid: z.int(),
        version: z.string(),
        memory: z.int(),
        freeBytes: z.int(),
        trouble: z.string().nullable(),
        startedAt: time,
        seenAt: time,
        alive: z.boolean(),
      }),
    ),
    disk: z.object({ folder: z.string(), free: z.int(), leastFree: z.int() }),
    database: z.object({
      engine: z.enum(['pglite', 'postgres']),
      milliseconds: z.number(),
      bytes: z.int().nullable(),
      rows: z.int().describe('About.'),
      wait: z
        .number()
        .nullable()
        .describe(
          'Milliseconds that one of 20 questions to the embedded database has waited for others lately.',
        ),
    }),
    memory: z.object({ process: z.int(), heap: z.int(), machineFree: z.int(), machine: z.int() }),
    mirrors: z.object({ count: z.int(), bytes: z.int(), most: z.int().nullable() }),
    hosts: z.array(
      z.object({
        domain: z.string(),
        kind: z.string(),
        site: z.string(),
        readAt: time.nullable(),
        calledAt: time.nullable(),
        error: z.string().nullable(),
      }),
    ),
    models: z.array(
      z.object({ variable: z.enum(modelVariables), name: z.string(), problem: z.string().nullable() }),
    ),
    chats: z
      .array(
        z.object({
          name: z.string(),
          domain: z.string(),
          checkedAt: time.nullable().describe('When the platform was last asked whether the token works.'),
          problem: z.string().nullable(),
        }),
      )
      .describe('Workspaces of chat platforms.'),
    trouble: z.string().nullable(),
    advice: z
      .array(z.object({ about: z.enum(advised), what: z.string(), remedy: z.string() }))
      .describe('What is wrong, and what to do about it; empty when nothing is.'),
  })
  .openapi('Server', { description: 'Status of the server.' })
