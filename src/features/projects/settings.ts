import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { smallestAmount } from '../../lib/smallest-amount.ts'
import { checkInput, quotedField } from '../../lib/text/issue-sentence.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { withoutControlsAndCommas } from '../../lib/text/portable-patterns.ts'
import { isBranchPrefix } from '../../integrations/git/branch-prefix.ts'
import { guidance } from '../../site/guidance.ts'
import { isUsableGlob } from '../../site/text/glob.ts'
import { json, type Tx } from '../../store/database.ts'
import { givenVisibility, repositoryKind } from './project-words.ts'

/** A number over 0 that is not over `most`. */
const upTo = (most: number) => {
  const rule = `must be over 0 and at most ${most.toLocaleString('en')}`
  return z.number(rule).min(smallestAmount, rule).max(most, rule)
}
const countUpTo = (most: number) => {
  const rule = `must be a whole number from 1 to ${most.toLocaleString('en')}`
  return z.int(rule).min(1, rule).max(most, rule)
}
const globRule = 'must be a list of globs of at most 500 characters'
const globs = z
  .array(z.string(globRule).min(1, globRule).max(500, globRule), globRule)
  .max(200, 'must be at most 200 globs')
const hostRule = 'must be a list of hosts, such as images.example.com or *.example.com'
const hosts = z
  .array(
    z
      .string()
      .regex(/^(?:\*\.)?[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,10}(?::[0-9]{1,5})?$/, hostRule)
      .meta({ example: 'images.example.com' }),
    hostRule,
  )
  .max(200, 'must be at most 200 hosts')
const importRule = 'must be a list of modules as pages import them, or globs of them'
const budget = z
  .strictObject({
    /** Model calls. */
    steps: countUpTo(10_000),
    /** Tokens in and out together. */
    tokens: countUpTo(1_000_000_000),
    /** US dollars. */
    cost: upTo(100_000),
    /** Minutes of work. */
    minutes: upTo(1440),
  })
  .partial()
  .meta({ id: 'Budget', description: 'Limits of the work on one prompt.' })

/** A context repository, which the agent may read and search besides its own. */
const contextRepository = z
  .strictObject({
    /** The name by which the agent refers to it: `@name`. */
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,40}$/, 'must be a short name of a to z, 0 to 9 and hyphens')
      .meta({ example: 'api-docs' }),
    kind: repositoryKind,
    /** Real path of a registered folder, or URL without credentials. */
    location: z.string().min(1).max(1000),
    ref: z.string().min(1).max(250),
  })
  .meta({
    id: 'ContextRepository',
    description: 'A repository that the agent may read and search besides its own.',
  })

export const mostContextRepositories = 10

const nameIn = (rule: string) =>
  z.string(rule).max(100, rule).regex(withoutControlsAndCommas, rule).meta({ example: 'docs-team' })
const names = (what: string) =>
  z
    .array(nameIn(`must be a list of ${what}`), `must be a list of ${what}`)
    .max(20, `must be at most 20 ${what}`)
/** How pull requests on git hosts are opened. */
const pullRequest = z
  .strictObject({
    draft: z.boolean('must be true or false'),
    labels: names('labels'),
    /** Logins; `group/team` where the host has teams. */
    reviewers: names('logins'),
    assignees: names('logins'),
  })
  .partial()
  .meta({ id: 'PullRequestSettings', description: 'How pull requests on git hosts are opened.' })

const prefixRule = 'must be the beginning of a branch name, such as docwright/ or bot/docs-'

const modelName = z.string().min(1, 'must be the name of a model').max(200, 'must be the name of a model')

/** Models that read the sections of the pages, so that they are found by words that they do not hold. */
const enrichment = z
  .strictObject({
    /** Writes the questions that a section answers. */
    questions: modelName,
    /** Makes vectors, which are near each other where texts mean the same. */
    vectors: modelName,
    /** US dollars in a calendar month (UTC); 10 when absent. */
    ceiling: upTo(100_000),
  })
  .partial()
  .meta({ id: 'EnrichmentSettings', description: 'Models that read the sections of the pages.' })

const siteRule = 'must be an http or https address such as https://docs.example.com'

const retentionRule = 'must be a whole number of days from 0 to 36,500'

const fields = {
  /** Absent: `signed-in`. */
  visibility: givenVisibility,
  /** Address of the published site, without a slash at the end. */
  site: z
    .string(siteRule)
    .refine((text) => readSite(text) !== undefined, { error: siteRule, abort: true })
    .overwrite((text) => readSite(text) ?? text)
    .describe('Address of the published site, to which answers link.'),
  model: modelName,
  assistantModel: modelName,
  /** Limits of the work on one prompt. */
  budget,
  /** What happens to a job whose changes still have problems after the last round. */
  onProblems: z.enum(['draft', 'fail'], 'must be draft or fail'),
  /** Globs of files outside of the content folder, or of other kinds, that the agent may change. */
  allow: globs,
  /** Globs of files that the agent never changes. */
  protect: globs,
  /** Hosts that pages may load images, files and frames from; `*.` before one stands for all below it. */
  allowedHosts: hosts,
  /** Modules, or globs of them, that pages may import. */
  allowedImports: z
    .array(
      z
        .string()
        .regex(/^[^\s'"`]{1,300}$/, importRule)
        .meta({ example: '@example/components' }),
      importRule,
    )
    .max(200, 'must be at most 200 modules'),
  /** Tokens that the assistant may use per day (UTC). After that it answers only with passages from the docs. */
  assistantTokensPerDay: countUpTo(1_000_000_000_000),
  /** Whether the assistant's model also writes search queries, with a short call before each answer. Absent: `auto`. */
  assistantQueries: z.enum(['auto', 'off'], 'must be auto or off'),
  /**
   * Days for which questions, answers, feedback and searches are kept. With 0 their texts are never kept, and what is
   * counted stays as long as the server keeps it.
   */
  retentionDays: z
    .int(retentionRule)
    .min(0, retentionRule)
    .max(36_500, retentionRule)
    .describe(
      'Days for which conversations, feedback and searches are kept. 0: their texts are never kept, only what is counted.',
    ),
  /** Whether images in questions are passed on to the assistant's model. */
  assistantFiles: z.boolean('must be true or false'),
  /** Whether readers of the public pages on this server may ask the assistant beside them, without a key. */
  assistantOnDocs: z.boolean('must be true or false'),
  /** What the assistant's models are told besides its own rules. */
  assistantInstructions: guidance.shape.instructions.unwrap(),
  assistantStarters: guidance.shape.starters.unwrap(),
  assistantRefuse: guidance.shape.refuse.unwrap(),
  assistantContact: guidance.shape.contact.unwrap(),
  contextRepositories: z.array(contextRepository).max(mostContextRepositories),
  enrichment,
  pullRequest,
  branchPrefix: z
    .string(prefixRule)
    .refine(isBranchPrefix, prefixRule)
    .describe('What the names of the agent’s branches begin with. Absent: `docwright/`.'),
  signOff: z
    .enum(['off', 'server', 'person'], 'must be off, server or person')
    .describe(
      'Whose `Signed-off-by` commits carry: the server’s identity, or the person who asked where one is known. Absent: `off`.',
    ),
  /** Accounts at the host whose comments are follow-ups, besides people with write access. */
  trusted: names('logins'),
}

/** The settings of a project; the server's defaults apply for absent fields. */
export const projectSettings = z.strictObject(fields).partial().meta({
  id: 'ProjectSettings',
  description: 'The settings of a project; an absent one is the server’s default.',
})

export type ProjectSettings = z.infer<typeof projectSettings>
export type ContextRepository = z.infer<typeof contextRepository>

const [place, branch] = ['must be a folder or an https address', 'must be the name of a branch']

/** What people give for a context repository: an absolute path on this machine or an https URL. */
export const namedRepository = z
  .strictObject({
    name: contextRepository.shape.name,
    location: z.string().min(1, place).max(1000, place),
    ref: z.string().min(1, branch).max(250, branch).optional(),
  })
  .meta({ id: 'NamedRepository', description: 'A context repository, as it is added.' })

/** A list that is tried when it is given, because a glob that cannot be used would fail each job later. */
const usable = (list: z.ZodArray<z.ZodString>) =>
  list.refine((all) => all.every(isUsableGlob), 'must be globs with at most 64 alternatives in braces each')

/** A change of settings: null removes a setting, an absent field leaves it unchanged. */
export const settingsChange = z
  .strictObject({
    visibility: fields.visibility.nullable(),
    site: fields.site.nullable(),
    model: fields.model.nullable(),
    assistantModel: fields.assistantModel.nullable(),
    budget: budget.nullable(),
    onProblems: fields.onProblems.nullable(),
    allow: usable(fields.allow).nullable(),
    protect: usable(fields.protect).nullable(),
    allowedHosts: fields.allowedHosts.nullable(),
    allowedImports: usable(fields.allowedImports).nullable(),
    assistantTokensPerDay: fields.assistantTokensPerDay.nullable(),
    assistantQueries: fields.assistantQueries.nullable(),
    assistantFiles: fields.assistantFiles.nullable(),
    assistantOnDocs: fields.assistantOnDocs.nullable(),
    assistantInstructions: fields.assistantInstructions.nullable(),
    assistantStarters: fields.assistantStarters.nullable(),
    assistantRefuse: fields.assistantRefuse.nullable(),
    assistantContact: fields.assistantContact.nullable(),
    retentionDays: fields.retentionDays.nullable(),
    contextRepositories: z
      .array(namedRepository)
      .max(mostContextRepositories, `must be at most ${mostContextRepositories} repositories`)
      .nullable(),
    enrichment: enrichment.nullable(),
    pullRequest: pullRequest.nullable(),
    branchPrefix: fields.branchPrefix.nullable(),
    signOff: fields.signOff.nullable(),
    trusted: fields.trusted.nullable(),
  })
  .partial()
  .meta({
    id: 'ProjectSettingsChange',
    description: 'A change of settings: null removes one, an absent field leaves it unchanged.',
  })

const storedSettings = projectSettings
  .strip()
  // A value that this version does not know is ignored, which leaves the pages closed and the other settings valid.
  .extend({
    visibility: fields.visibility.optional().catch(undefined),
    site: fields.site.optional().catch(undefined),
  })

/** Reads stored settings. Fields of other versions that this one does not know are left out. */
export function readSettings(value: unknown): ProjectSettings {
  const parsed = storedSettings.safeParse(value)
  return parsed.success ? parsed.data : {}
}

function readSite(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    !url ||
    url.href.length > 1000 ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    return undefined
  return url.href.replace(/(?<!\/)\/+$/, '')
}

/** Validates input from people. @throws AppError `invalid` that names the field */
export function parseGiven<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const given = checkInput(schema, input, quotedField('The settings'))
  if (hasUnstorable(JSON.stringify(given)))
    throw new AppError('invalid', 'A setting holds a character that cannot be kept')
  return given
}

/**
 * Applies the changes that `change` returns for the present settings; null removes a setting.
 * @returns the new settings
 */
export async function updateSettings(
  tx: Tx,
  projectId: string,
  change: (before: ProjectSettings) => { [Name in keyof ProjectSettings]: ProjectSettings[Name] | null },
): Promise<ProjectSettings> {
  const row = await tx
    .selectFrom('projects')
    .select('settings')
    .where('id', '=', projectId)
    .forUpdate()
    .executeTakeFirst()
  const before = readSettings(row?.settings)
  const merged = { ...before, ...change(before) }
  const kept = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined)
  const settings = projectSettings.parse(Object.fromEntries(kept))
  await tx
    .updateTable('projects')
    .set({ settings: json(settings) })
    .where('id', '=', projectId)
    .execute()
  return settings
}
