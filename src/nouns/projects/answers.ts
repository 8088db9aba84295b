import { z } from '@hono/zod-openapi'
import { repositoryKind } from '../../features/projects/settings/context-repositories.ts'
import { projectSettings } from '../../features/projects/settings/schemas.ts'
import { guidance } from '../../site/guidance.ts'

export const hostKind = z
  .enum(['github', 'gitlab', 'gitea', 'bitbucket', 'git'], {
    error: 'must be github, gitlab, gitea, bitbucket or git',
  })
  .openapi('HostKind', { description: 'A kind of git host; `git` is any other.' })

/** A project as the terminal reads it: it takes the settings as they come. */
export const projectAnswer = z.object({
  id: z.string(),
  domain: z.string().describe('The project’s name in URLs.'),
  kind: repositoryKind,
  repository: z.string().describe('Full URL for cloning, without a credential.'),
  ref: z.string().describe('Branch that is read and that jobs start from.'),
  root: z.string().describe('Docs folder; empty: the whole repository.'),
  pages: z.int(),
  site: z.string().nullable().describe('Published site URL.'),
  framework: z.string().nullable(),
  organization: z.string(),
  visibility: projectSettings.shape.visibility.unwrap(),
  settings: z.record(z.string(), z.unknown()),
  assistantFile: guidance
    .extend({ path: z.string(), commit: z.string() })
    .openapi('AssistantFile', { description: 'The file by which a repository shapes its assistant.' })
    .nullable()
    .describe(
      'What the repository asks of the assistant, as the last sync read it, in addition to the settings.',
    ),
  warnings: z.array(z.string()).describe('Limits that do not fully apply.'),
  sync: z
    .object({
      state: z.enum(['pending', 'syncing', 'ready', 'failed']),
      progress: z
        .object({
          phase: z.string(),
          done: z.int(),
          total: z.int().nullable(),
          bytes: z.int().optional().describe('Of a fetch, where git reports them.'),
        })
        .openapi('SyncProgress', { description: 'How far a sync is.' })
        .nullable(),
      error: z.string().nullable(),
      commit: z.string().nullable(),
      at: z.iso.datetime().nullable(),
      unreadable: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .describe('Files that are left out of the index, and what is left out of the assistant’s file.'),
      warning: z
        .string()
        .nullable()
        .describe('Why there is no page although the repository was read, and what to do.'),
      pageFolders: z
        .array(z.object({ folder: z.string(), pages: z.int() }))
        .describe(
          'Where pages are, when `root` holds none, and the docs sites of a repository that has several, when `root` is empty. An empty folder is the whole repository.',
        ),
    })
    .openapi('Sync', { description: 'How the last reading of a project’s repository went.' }),
  enrichment: z
    .object({
      state: z
        .enum(['waiting', 'running', 'ready', 'ceiling', 'failed'])
        .describe('`ceiling` and `failed` continue at `retryAt`.'),
      done: z.int().describe('Sections.'),
      total: z.int(),
      error: z.string().nullable(),
      notice: z
        .string()
        .nullable()
        .describe('What changed on the side of a model, or could not be looked at.'),
      retryAt: z.iso.datetime().nullable(),
    })
    .openapi('Enrichment', { description: 'How far models are with the sections of a project.' })
    .nullable()
    .describe('How far models are with the sections; null when none is to read them.'),
})

export const notes = { notes: z.array(z.string()).describe('Notes for people.') }
export const noteOfAdded = {
  ...notes,
  hasCredential: z.boolean().describe('Whether a credential is used to read the repository.'),
}

export const enrichmentEstimate = z
  .object({
    sections: z.int().describe('Different sections of all pages.'),
    work: z.array(
      z.object({
        kind: z.enum(['questions', 'vectors']),
        model: z.string(),
        sections: z.int().describe('Sections that it has not read.'),
        inputTokens: z.int(),
        outputTokens: z.int(),
        cost: z.number().nullable().describe('USD; null when no price is known.'),
      }),
    ),
    spent: z.number().describe('USD this month (UTC).'),
    ceiling: z.number().describe('USD per month.'),
  })
  .openapi('EnrichmentEstimate', { description: 'What it would take to have models read the sections.' })
