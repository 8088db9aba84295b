import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import type { ProjectSettings } from '../../../../features/projects/settings.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { csrfField, formProblem, textField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { guidanceFile } from '../../../../site/guidance.ts'
import { visibilityField } from '../project-fields.ts'
import { fieldOf } from '../../read-form.ts'

/** The settings of a project. `values` come from `settingsValues` or from a refused form. */
export function settingsForm(
  project: Project,
  session: Session,
  {
    values,
    problem,
    defaults,
    warnings,
  }: {
    values: URLSearchParams
    problem: string | undefined
    defaults: { defaultModel: string; assistantModel: string }
    /** What the limits do not cover. */
    warnings: readonly string[]
  },
): Html {
  const text = (name: string, label: string, placeholder: string): Html =>
    textField({ name, label, placeholder, value: values.get(name), maximum: 200 })
  const number = (name: string, label: string, placeholder = 'server’s limit'): Html =>
    textField({ name, label, placeholder, value: values.get(name), maximum: 20, numeric: true })
  return html`<form
    method="post"
    action="/projects/${project.domain}/settings"
    class="stack form"
    data-stay="Saving…"
  >
    ${csrfField(session)}
    <h2>Documentation pages</h2>
    ${visibilityField(values.get('visibility') ?? '')}
    <h2>Pull requests</h2>
    ${pullRequestFields(project, values)}
    <h2>Models</h2>
    <p class="muted">Empty fields leave it to the server.</p>
    ${text('model', 'Model of jobs', defaults.defaultModel)}
    ${text('assistantModel', 'Model of the assistant', defaults.assistantModel)}
    ${number('assistantTokensPerDay', 'Tokens of the assistant per day', 'no limit')}
    <label for="assistantQueries">What the assistant searches for first</label>
    <select id="assistantQueries" name="assistantQueries">
      <option value="auto">the question, and queries that its model writes</option>
      <option value="off" ${values.get('assistantQueries') === 'off' ? html` selected` : ''}>
        the question alone
      </option>
    </select>
    ${check('assistantFiles', 'Pass images in questions on to its model, which must be able to look at them', values)}
    ${number('retentionDays', 'Days for which conversations are kept; 0 keeps no texts', 'as the server says')}
    <h2>What shapes the assistant</h2>
    ${guidanceOfRepository(project)}
    ${lines('assistantInstructions', 'Instructions for its models, in your own words', values, 'Call readers by “you”. The product is written Globex.', 6)}
    ${lines('assistantStarters', 'Questions to begin with, one a line; a path before one is for those pages only', values, '/guides How do I set it up?')}
    ${lines('assistantRefuse', 'Topics that it does not speak of, one a line', values, 'prices, discounts')}
    ${textField({ name: 'assistantContact', label: 'Who helps where it cannot', placeholder: 'Support https://example.com/help', value: values.get('assistantContact'), maximum: 400 })}
    <h2>Search by meaning</h2>
    <p class="muted">
      Models read each section once, so that it is found by words that it does not hold. Empty fields: off.
      See the cost first: <code>docwright project enrich ${project.domain} --estimate</code> with the models.
    </p>
    ${text('enrichQuestions', 'Model that writes questions', 'off')}
    ${text('enrichVectors', 'Model of vectors', 'off, such as openai:text-embedding-3-small')}
    ${number('enrichCeiling', 'US dollars a month, at most', '10')}
    <h2>Limits of one prompt</h2>
    ${number('steps', 'Model calls')} ${number('tokens', 'Tokens')} ${number('cost', 'US dollars')}
    ${warnings.map((text) => html`<p class="notice warning">${text}.</p>`)}
    ${number('minutes', 'Minutes of work')}
    <h2>What the agent may change</h2>
    ${globs('allow', 'Files besides the documentation that it may change', values, 'examples/**/*.json')}
    ${globs('protect', 'Files that it never changes', values, 'legal/**')}
    ${lines('allowedHosts', 'Hosts that pages may load images, files and frames from, one a line', values, 'images.example.com')}
    ${lines('allowedImports', 'Modules that pages may import, one or a glob of them a line', values, '@site/src/components/*')}
    ${formProblem(problem)}
    <button class="primary">Save</button>
  </form>`
}

/** Settings as the fields of the form. */
export function settingsValues(settings: ProjectSettings): URLSearchParams {
  const { budget, pullRequest, enrichment } = settings
  const values = {
    visibility: settings.visibility,
    model: settings.model,
    assistantModel: settings.assistantModel,
    assistantTokensPerDay: settings.assistantTokensPerDay,
    assistantQueries: settings.assistantQueries,
    assistantFiles: settings.assistantFiles === true ? 'yes' : undefined,
    retentionDays: settings.retentionDays,
    assistantInstructions: settings.assistantInstructions,
    assistantStarters: settings.assistantStarters?.join('\n'),
    assistantRefuse: settings.assistantRefuse?.join('\n'),
    assistantContact: settings.assistantContact,
    ...budget,
    onProblems: settings.onProblems,
    enrichQuestions: enrichment?.questions,
    enrichVectors: enrichment?.vectors,
    enrichCeiling: enrichment?.ceiling,
    allow: settings.allow?.join('\n'),
    protect: settings.protect?.join('\n'),
    allowedHosts: settings.allowedHosts?.join('\n'),
    allowedImports: settings.allowedImports?.join('\n'),
    draft: pullRequest?.draft === true ? 'yes' : undefined,
    labels: pullRequest?.labels?.join(', '),
    reviewers: pullRequest?.reviewers?.join(', '),
    assignees: pullRequest?.assignees?.join(', '),
    trusted: settings.trusted?.join(', '),
  }
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) fields.set(name, String(value))
  return fields
}

function globs(name: string, label: string, values: URLSearchParams, placeholder: string): Html {
  return lines(name, `${label}, one glob a line`, values, placeholder)
}

function guidanceOfRepository({ assistantFile: file }: Project): Html {
  if (file === undefined)
    return html`<p class="muted">The repository may ask for the same in <code>${guidanceFile}</code>.</p>`
  const { instructions, starters = [], refuse = [], contact } = file.guidance
  return html`<p class="muted">
      Besides, the repository asks for this in <code>${file.path}</code> (commit
      <code>${file.commit.slice(0, 10)}</code>):
    </p>
    <pre>
${[instructions ?? [], starters.map((one) => `Question: ${one}`), refuse.map((one) => `Refuse: ${one}`), contact === undefined ? [] : `Contact: ${contact}`].flat().join('\n') || '(nothing)'}</pre>`
}

function lines(name: string, label: string, values: URLSearchParams, placeholder: string, rows = 2): Html {
  return html`<label for="${name}">${label}</label>
    <textarea id="${name}" name="${name}" rows="${rows}" placeholder="${placeholder}" spellcheck="false">
${values.get(name) ?? ''}</textarea>`
}

function check(name: string, label: string, values: URLSearchParams): Html {
  return html`<label class="check"
    ><input type="checkbox" name="${name}" value="yes" ${values.get(name) === 'yes' ? html` checked` : ''} />
    ${label}</label
  >`
}

const lists = ['labels', 'reviewers', 'assignees'] as const

/**
 * The fields for how pull requests are opened. Those that only git hosts have are shown for projects on a git host.
 */
function pullRequestFields(project: Project, values: URLSearchParams): Html {
  const list = (name: string, label: string, hint: string, placeholder: string): Html =>
    textField({
      name,
      label: html`${label} <span class="muted">(${hint})</span>`,
      value: values.get(name),
      placeholder,
    })
  return html`<p class="muted">They hold for new pull requests. What the host does not know is left out.</p>
    ${
      project.kind === 'path'
        ? ''
        : html`${list('labels', 'Labels', 'with commas between them', 'documentation, agent')}
          ${list('reviewers', 'Reviewers', 'logins, or group/team', 'ann, example/docs-team')}
          ${list('assignees', 'Assignees', 'logins', 'bob')}`
    }
    ${check('draft', 'Open them as drafts', values)}
    <label for="onProblems">When changes still have problems after three rounds</label>
    <select id="onProblems" name="onProblems">
      <option value="draft">open the pull request as a draft with the list</option>
      <option value="fail" ${values.get('onProblems') === 'fail' ? html` selected` : ''}>fail the job</option>
    </select>
    ${project.kind === 'path' ? '' : list('trusted', 'Whose comments are follow-ups', 'logins, besides everyone who may write', 'carol')}`
}

/** Reads the settings of the fields above; null where nothing is set. */
export function readPullRequest(
  form: URLSearchParams,
  { pullRequest: before, trusted }: ProjectSettings,
): { pullRequest: object | null; trusted: string[] | null } {
  const given = lists.flatMap((name) => {
    const names = form.has(name) ? namesOf(form, name) : (before?.[name] ?? [])
    return names.length === 0 ? [] : [[name, names] as const]
  })
  const draft = form.get('draft') === 'yes'
  const settings = { ...Object.fromEntries(given), ...(draft && { draft }) }
  const heard = form.has('trusted') ? namesOf(form, 'trusted') : (trusted ?? [])
  return {
    pullRequest: Object.keys(settings).length === 0 ? null : settings,
    trusted: heard.length === 0 ? null : heard,
  }
}

function namesOf(form: URLSearchParams, name: string): string[] {
  const names = fieldOf(form, name)
    .split(/[,\n]/)
    // People write logins with an `@`, as in mentions.
    .map((text) => text.trim().replace(name === 'labels' ? '' : /^@/, ''))
    .filter((text) => text !== '')
  return [...new Set(names)]
}
