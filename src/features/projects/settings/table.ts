import { z } from '@hono/zod-openapi'
import { defaultBranchPrefix, isBranchPrefix } from '../../../integrations/git/branch-prefix.ts'
import { amountUpTo } from '../../../lib/amount.ts'
import { readers, usualVisibility, visibilities } from '../visibility.ts'
import { assistantSettings } from './assistant-settings.ts'
import { contextRepositories, namedRepositories } from './context-repositories.ts'
import {
  countUpTo,
  globs,
  hosts,
  modelName,
  modules,
  names,
  parts,
  siteAddress,
  truth,
  usable,
} from './rules.ts'
import { setting, settingOfParts, unset } from './setting.ts'

const givenVisibility = z
  .enum(visibilities, 'must be public, key or signed-in')
  .meta({ id: 'Visibility', description: 'Visibility the pages that this server renders.' })

const prefixRule = 'must be the beginning of a branch name, such as docwright/ or bot/docs-'
const [pulls, branches, ofPrompt] = ['Pull requests', 'Branches and commits', 'Limits of one prompt']

/**
 * The settings of a project, in the order of the API. Rules, forms, the options of `project set`, what holds by default and
 * the table of the documentation are made from them.
 */
export const settings = {
  visibility: setting(givenVisibility, {
    standard: usualVisibility,
    keepsStandard: true,
    form: 'general',
    label: 'Who can read the docs on this server (/docs/)',
    choices: Object.fromEntries(visibilities.toReversed().map((name) => [name, readers[name]])),
    option: '--visibility <who>',
    help: 'who can read the docs on this server: public, key, or signed-in',
    meaning:
      '[Visibility](#visibility) of the pages that this server renders: `public`, `key` or `signed-in`.',
  }),
  site: setting(siteAddress.describe('Published site URL, to which answers link.'), {
    standard: unset('none'),
    form: 'general',
    label: 'Published site URL',
    explain: 'Answers link to pages on this site. If empty, they link to the pages on this server.',
    placeholder: 'https://docs.example.com',
    option: '--site <address>',
    help: 'published site URL, for example https://docs.example.com',
    meaning: 'Published site URL: [answers link there](#visibility).',
  }),
  model: setting(modelName, {
    standard: unset('`DOCWRIGHT_MODEL`'),
    form: 'agent',
    typed: 'model',
    label: 'Job model',
    option: '--model <name>',
    help: 'model for jobs, for example anthropic:claude-sonnet-5-5',
    meaning: '[Model](/operate/models) for jobs. A job can override it.',
  }),
  assistantModel: setting(modelName, {
    standard: unset('`DOCWRIGHT_ASSISTANT_MODEL`'),
    form: 'assistant',
    typed: 'model',
    label: 'Assistant model',
    option: '--assistant-model <name>',
    help: 'model for the assistant',
    meaning: 'Assistant model.',
  }),
  budget: settingOfParts(
    { id: 'Budget', description: 'Limits of the work on one prompt.' },
    {
      steps: {
        schema: countUpTo(10_000),
        section: ofPrompt,
        label: 'Model calls',
        placeholder: 'server’s limit',
        option: '--max-steps <number>',
        optionAfter: 'onProblems',
        help: 'model calls per prompt',
      },
      /** In and out together. */
      tokens: {
        schema: countUpTo(1_000_000_000),
        section: ofPrompt,
        label: 'Tokens',
        placeholder: 'server’s limit',
        option: '--max-tokens <number>',
        optionAfter: 'steps',
        help: 'tokens per prompt',
      },
      cost: {
        schema: amountUpTo(100_000),
        section: ofPrompt,
        label: 'USD',
        placeholder: 'server’s limit',
        option: '--max-cost <dollars>',
        optionAfter: 'tokens',
        help: 'USD per prompt',
      },
      minutes: {
        schema: amountUpTo(1440),
        section: ofPrompt,
        label: 'Minutes of work',
        placeholder: 'server’s limit',
        option: '--max-minutes <number>',
        optionAfter: 'cost',
        help: 'minutes of work per prompt',
      },
    },
    {
      standard: unset('`DOCWRIGHT_JOB_MAX_…`'),
      form: 'limits',
      meaning:
        'Limits of the work on one prompt. The lowest limit of job, project and server applies; the command and the Settings page say when the server’s is lower. A cost limit does not apply to a model [without a price](/operate/models): the command, the Settings page and `doctor` say so.',
    },
  ),
  onProblems: setting(z.enum(['draft', 'fail'], 'must be draft or fail'), {
    standard: 'draft',
    form: 'agent',
    section: pulls,
    shownAfter: 'draft',
    label: 'If problems remain after three attempts',
    choices: { draft: 'open the pull request as a draft with the list', fail: 'fail the job' },
    option: '--on-problems <draft|fail>',
    help: 'what to do with changes that fail checks: draft or fail',
    meaning:
      'What happens to changes that still have problems after three rounds: `draft`, a draft pull request with the list, or `fail`, a failed job.',
  }),
  allow: setting(globs, {
    given: usable(globs),
    standard: [],
    form: 'policy',
    label: 'Additional files the agent can change',
    explain: 'One pattern per line.',
    placeholder: 'examples/**/*.json',
    option: '--allow <glob...>',
    optionAfter: 'assistantContact',
    help: 'additional files the agent can change',
    meaning: 'Files outside the docs folder that the agent can change.',
  }),
  protect: setting(globs, {
    given: usable(globs),
    standard: [],
    form: 'policy',
    label: 'Protected files',
    explain: 'One pattern per line.',
    placeholder: 'legal/**',
    option: '--protect <glob...>',
    optionAfter: 'allow',
    help: 'files that the agent never changes',
    meaning: 'Files that the agent never changes.',
  }),
  allowedHosts: setting(hosts, {
    standard: [],
    form: 'policy',
    label: 'Allowed external hosts',
    explain: 'One per line. What the pages load already stays allowed.',
    placeholder: 'images.example.com',
    option: '--allow-host <host...>',
    optionAfter: 'protect',
    help: 'hosts that pages may load from: images.example.com, *.example.com',
    meaning:
      'Allowed external hosts although none does yet, such as `images.example.com` or `*.example.com`.',
  }),
  allowedImports: setting(modules, {
    given: usable(modules),
    standard: [],
    form: 'policy',
    label: 'Allowed imports',
    explain: 'One module or pattern per line.',
    placeholder: '@site/src/components/*',
    option: '--allow-import <module...>',
    optionAfter: 'allowedHosts',
    help: 'modules that pages may import, or globs of them',
    meaning:
      'Allowed imports although none does yet, as a page names them, or globs of them: `@site/src/components/*`.',
  }),
  allowedParts: setting(parts, {
    standard: [],
    form: 'policy',
    label: 'Parts that pages may have',
    explain: 'One per line, as a job names them when it asks to allow one.',
    placeholder: 'component Chart',
    option: '--allow-part <part...>',
    optionAfter: 'allowedImports',
    help: 'parts that pages may have, as a job names them',
    meaning:
      'Parts that pages may have although none does yet, as a job names them when it asks to allow one: `component Chart`.',
  }),
  strict: setting(truth, {
    standard: false,
    form: 'policy',
    label: 'Hold what is only to be looked at as well',
    explain:
      'A new host, component or directive is not published before a person has allowed it. Otherwise it is published as a draft that lists it.',
    option: '--strict',
    optionAfter: 'allowedParts',
    help: 'also block what would only be marked for review',
    helpOff: 'publish it as a draft',
    meaning:
      'Whether what is only to be looked at, such as a new host or component, is held until a person has allowed it. Otherwise it is published as a draft that lists it.',
  }),
  ...assistantSettings,
  contextRepositories: setting(contextRepositories, {
    given: namedRepositories,
    standard: [],
    typed: 'repositories',
    label: 'Context repositories',
    option: '--context <name=location...>',
    optionAfter: 'enrichCeiling',
    help: 'other repositories to read: name=path-or-url[#branch]',
    meaning: '[Repositories that the agent can also read](#context-repositories).',
  }),
  enrichment: settingOfParts(
    { id: 'EnrichmentSettings', description: 'Models that read the sections of the pages.' },
    {
      questions: {
        schema: modelName,
        formName: 'enrichQuestions',
        label: 'Question generation model',
        explain: 'Questions that a reader might ask, for each section.',
        placeholder: 'off',
        option: '--enrich-questions <model>',
        help: 'question generation model',
      },
      vectors: {
        schema: modelName,
        formName: 'enrichVectors',
        label: 'Embedding model',
        explain: 'Finds sections that are close in meaning.',
        placeholder: 'off, such as openai:text-embedding-3-small',
        option: '--enrich-vectors <model>',
        help: 'embedding model, for example openai:text-embedding-3-small',
      },
      ceiling: {
        schema: amountUpTo(100_000),
        formName: 'enrichCeiling',
        label: 'Monthly budget (USD)',
        placeholder: '10',
        option: '--enrich-ceiling <dollars>',
        help: 'monthly budget for both, in USD',
      },
    },
    {
      standard: unset('off'),
      form: 'search',
      meaning:
        'Models that read the sections, so that pages are [found by meaning](/guides/find-by-meaning), and what they may cost a month.',
    },
  ),
  pullRequest: settingOfParts(
    { id: 'PullRequestSettings', description: 'How pull requests on git hosts are opened.' },
    {
      draft: {
        schema: truth,
        standard: false,
        section: pulls,
        shownAfter: 'assignees',
        label: 'Open them as drafts',
        option: '--draft',
        help: 'open pull requests as drafts',
        helpOff: 'open them ready for review',
      },
      labels: {
        schema: names('labels'),
        standard: [],
        section: pulls,
        hosted: true,
        typed: 'names',
        label: 'Labels',
        explain: 'Separated by commas.',
        placeholder: 'documentation, agent',
        option: '--label <name...>',
        help: 'labels of new pull requests',
      },
      reviewers: {
        schema: names('usernames'),
        standard: [],
        section: pulls,
        hosted: true,
        typed: 'logins',
        label: 'Reviewers',
        explain: 'Usernames, or group/team.',
        placeholder: 'ann, example/docs-team',
        option: '--reviewer <login...>',
        help: 'reviewers of new pull requests',
      },
      assignees: {
        schema: names('usernames'),
        standard: [],
        section: pulls,
        hosted: true,
        typed: 'logins',
        label: 'Assignees',
        explain: 'Usernames.',
        placeholder: 'bob',
        option: '--assignee <login...>',
        help: 'assignees of new pull requests',
      },
    },
    {
      standard: unset('ready for review'),
      form: 'agent',
      meaning:
        'How [pull requests on git hosts](/guides/git-hosts/pull-requests#how-pull-requests-are-opened) are opened.',
    },
  ),
  branchPrefix: setting(
    z
      .string(prefixRule)
      .refine(isBranchPrefix, prefixRule)
      .describe('What the names of the agent’s branches begin with. Absent: `docwright/`.'),
    {
      standard: defaultBranchPrefix,
      form: 'agent',
      section: branches,
      label: 'Branch prefix',
      explain: `What the names of the agent’s branches begin with. Default: \`${defaultBranchPrefix}\`. Branches that exist keep their names.`,
      placeholder: defaultBranchPrefix,
      option: '--branch-prefix <text>',
      help: 'branch prefix (default: docwright/)',
      meaning:
        '[What the names of the agent’s branches begin with](/guides/git-hosts/branches-and-commits#choose-the-branch-prefix).',
    },
  ),
  signOff: setting(
    z
      .enum(['off', 'server', 'person'], 'must be off, server or person')
      .describe(
        'Whose `Signed-off-by` commits carry: the server’s identity, or the person who asked where one is known. Absent: `off`.',
      ),
    {
      standard: 'off',
      form: 'agent',
      section: branches,
      label: 'Sign-off in commits',
      choices: {
        off: 'none',
        server: 'Signed-off-by the server’s commit identity',
        person: 'Signed-off-by the person who asked, who becomes the author',
      },
      option: '--sign-off <off|server|person>',
      help: 'sign-off in commits (default: off)',
      meaning:
        '[Whose `Signed-off-by`](/guides/git-hosts/branches-and-commits#sign-off-commits) commits carry: `off`, `server` or `person`.',
    },
  ),
  trusted: setting(names('usernames'), {
    standard: [],
    form: 'agent',
    section: pulls,
    hosted: true,
    typed: 'logins',
    label: 'Trusted commenters',
    explain: 'Usernames, in addition to everyone with write access.',
    placeholder: 'carol',
    option: '--trusted <login...>',
    help: 'additional accounts whose comments become follow-ups',
    meaning:
      'Accounts whose [comments](/guides/git-hosts/pull-requests#if-docwright-cant-check-write-access) are follow-ups too, as those of people who may write are.',
  }),
}
