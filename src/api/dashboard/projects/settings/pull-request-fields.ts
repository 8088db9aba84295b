import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import type { ProjectSettings } from '../../../../features/projects/settings.ts'
import { textField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { fieldOf } from '../../read-form.ts'

const lists = ['labels', 'reviewers', 'assignees'] as const

/** How a project's pull requests are opened. What only git hosts know is asked for projects on one. */
export function pullRequestFields(project: Project, values: URLSearchParams): Html {
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
    <label class="check"
      ><input
        type="checkbox"
        name="draft"
        value="yes"
        ${values.get('draft') === 'yes' ? html` checked` : ''}
      />
      Open them as drafts</label
    >
    <label for="onProblems">When changes still have problems after three rounds</label>
    <select id="onProblems" name="onProblems">
      <option value="draft">open the pull request as a draft with the list</option>
      <option value="fail" ${values.get('onProblems') === 'fail' ? html` selected` : ''}>fail the job</option>
    </select>
    ${project.kind === 'path' ? '' : list('trusted', 'Whose comments are follow-ups', 'logins, besides everyone who may write', 'carol')}`
}

/** The settings that the fields above are for; null where nothing is set. */
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
    // People write logins as they mention them.
    .map((text) => text.trim().replace(name === 'labels' ? '' : /^@/, ''))
    .filter((text) => text !== '')
  return [...new Set(names)]
}
