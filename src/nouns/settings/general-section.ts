import { html } from 'hono/html'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { copyable, csrfField, formProblem, textField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { groupPath } from '../../api/frame/settings-tab.ts'
import type { RefusedForm } from '../../api/endpoint.ts'
import { locationFor } from '../../api/frame/html/location-for.ts'

/** What identifies a project, and how it is taken away. */
export function generalFacts(project: Project): Html {
  const { domain, id, ref, root } = project
  const fact = (name: string, value: Html): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`
  return html`<section>
      <h2>The project</h2>
      <dl class="facts">
        ${fact('Domain', copyable(domain, 'the domain'))}
        ${fact('Project id', copyable(id, 'the project id'))}
        ${fact('Repository', html`${locationFor(project)}`)}
        ${fact('Branch and folder', html`<code>${ref}</code>, <code>${root === '' ? 'Whole repository' : root}</code> · <a href="${groupPath(project, 'host')}">change</a>`)}
      </dl>
    </section>
    <section>
      <h2>Remove the project</h2>
      <p class="muted">
        Deletes all jobs, conversations, and keys. The repository isn’t affected. To prevent accidents, run
        this on the server:
      </p>
      ${copyable(`${ownCommand} project remove ${domain} --yes`, 'the command')}
    </section>`
}

/** For a folder on the server, which has no host: the branch and the folder of the pages. */
export function folderSection(project: Project, session: Session, sent: RefusedForm | undefined): Html {
  const { ref, followsDefault, root } = project
  return html`<p>
      The repository is a folder on this server. It needs no credential, and pull requests are reviewed and
      merged here.
    </p>
    <form
      method="post"
      action="/projects/${project.domain}/host/repository"
      class="stack form card"
      data-stay="Testing connection…"
    >
      ${csrfField(session)}
      ${textField({
        name: 'ref',
        label: html`Branch to read and to start from
          <span class="explain">Default: the default branch, even if it’s renamed.</span>`,
        value: sent?.values.get('ref') ?? (followsDefault ? '' : ref),
        placeholder: ref,
        maximum: 250,
      })}
      ${textField({
        name: 'root',
        label: html`Docs folder <span class="explain">If empty, the whole repository.</span>`,
        value: sent?.values.get('root') ?? root,
        placeholder: 'docs',
      })}
      ${formProblem(sent?.message)}
      <button class="primary">Test and save</button>
    </form>`
}
