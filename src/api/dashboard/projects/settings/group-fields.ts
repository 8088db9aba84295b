import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import { defaultBranchPrefix } from '../../../../integrations/git/branch-prefix.ts'
import { ownCommand } from '../../../../lib/own-command.ts'
import { guidanceFile } from '../../../../site/guidance-file.ts'
import type { Html } from '../../../frame/html/html.ts'
import { visibilityField } from '../project-fields.ts'
import { createFields, labels } from './fields.ts'
import type { SettingsGroup } from './frame.ts'
import { modelField, type Offer } from './model-choice.ts'

export interface FieldsInput {
  project: Project
  /** As they are stored, or as they were typed into a form that was refused. */
  values: URLSearchParams
  defaults: { defaultModel: string; assistantModel: string }
  offer: Offer
  /** What the limits do not cover. */
  warnings: readonly string[]
}

/** The fields of each group's form. */
export const groupFields: Readonly<Record<Exclude<SettingsGroup, 'host'>, (input: FieldsInput) => Html>> = {
  general: ({ values }) =>
    html`${visibilityField(values.get('visibility') ?? '')}
    ${createFields(values).text('site', 'https://docs.example.com', 'Answers link there. If empty, they link to the pages on this server.')}`,
  agent: agentFields,
  assistant: assistantFields,
  search: searchFields,
  policy: policyFields,
  limits: limitFields,
}

function agentFields({ project, values, defaults, offer }: FieldsInput): Html {
  const { text, check, choice } = createFields(values)
  const isHosted = project.kind !== 'path'
  return html`${modelField({ name: 'model', label: labels.model, value: values.get('model'), standard: defaults.defaultModel }, offer)}
    <h2>Pull requests</h2>
    <p class="muted">These hold for new pull requests. What the host does not know is left out.</p>
    ${
      isHosted
        ? html`${text('labels', 'documentation, agent', 'Separated by commas.')}
          ${text('reviewers', 'ann, example/docs-team', 'Logins, or group/team.')}
          ${text('assignees', 'bob', 'Logins.')}`
        : ''
    }
    ${check('draft')}
    ${choice('onProblems', [
      ['draft', 'open the pull request as a draft with the list'],
      ['fail', 'fail the job'],
    ])}
    ${isHosted ? text('trusted', 'carol', 'Logins, besides everyone who may write.') : ''}
    <h2>Branches and commits</h2>
    ${text('branchPrefix', defaultBranchPrefix, html`What the names of the agent’s branches begin with. Default: <code>${defaultBranchPrefix}</code>. Branches that exist keep their names.`)}
    ${choice('signOff', [
      ['off', 'none'],
      ['server', 'Signed-off-by the server’s commit identity'],
      ['person', 'Signed-off-by the person who asked, who becomes the author'],
    ])}`
}

function assistantFields({ project, values, defaults, offer }: FieldsInput): Html {
  const { text, number, lines, check, choice } = createFields(values)
  return html`${modelField({ name: 'assistantModel', label: labels.assistantModel, value: values.get('assistantModel'), standard: defaults.assistantModel }, offer)}
    ${choice('assistantQueries', [
      ['auto', 'the question, and queries that its model writes'],
      ['off', 'the question alone'],
    ])}
    ${check('assistantFiles')} ${number('retentionDays', 'server’s setting', 'With 0, no text is kept.')}
    <h2>What shapes its answers</h2>
    ${guidanceOfRepository(project)}
    ${lines('assistantInstructions', 'Call readers by “you”. The product is written Globex.', undefined, 6)}
    ${lines('assistantStarters', '/guides How do I set it up?', 'One per line. With a path before it, a question is for those pages only.')}
    ${lines('assistantRefuse', 'prices, discounts', 'One per line.')}
    ${text('assistantContact', 'Support https://example.com/help')}`
}

function searchFields({ project, values }: FieldsInput): Html {
  const { text, number } = createFields(values)
  return html`<p class="muted">
      See the cost first, with the models that you have in mind:
      <code>${ownCommand} project enrich ${project.domain} --estimate</code>
    </p>
    ${text('enrichQuestions', 'off', 'Questions that a reader might ask, for each section.')}
    ${text('enrichVectors', 'off, such as openai:text-embedding-3-small', 'Finds sections that are close in meaning.')}
    ${number('enrichCeiling', '10')}`
}

function policyFields({ values }: FieldsInput): Html {
  const { lines } = createFields(values)
  return html`${lines('allow', 'examples/**/*.json', 'One pattern per line.')}
  ${lines('protect', 'legal/**', 'One pattern per line.')}
  ${lines('allowedHosts', 'images.example.com', 'One per line. What the pages load already stays allowed.')}
  ${lines('allowedImports', '@site/src/components/*', 'One module or pattern per line.')}`
}

function limitFields({ values, warnings }: FieldsInput): Html {
  const { number } = createFields(values)
  return html`<h2>Limits of one prompt</h2>
    <p class="muted">
      Work that reaches one of them stops, and what it changed is kept. Where a field is empty, the server’s
      limit applies.
    </p>
    <div class="field-row">
      <div class="stack">${number('steps', 'server’s limit')}</div>
      <div class="stack">${number('tokens', 'server’s limit')}</div>
      <div class="stack">${number('cost', 'server’s limit')}</div>
      <div class="stack">${number('minutes', 'server’s limit')}</div>
    </div>
    ${warnings.map((text) => html`<p class="notice warning">${text}.</p>`)}
    <h2>Daily limit</h2>
    ${number('assistantTokensPerDay', 'no limit', 'Once they are used up, it answers with passages of the pages until midnight (UTC).')}`
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
