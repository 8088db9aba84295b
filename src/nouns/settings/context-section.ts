import { html } from 'hono/html'
import type { Project } from '../../features/projects/projects.ts'
import { withDefaults } from '../../features/projects/settings/schemas.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { buttonForm, csrfField, formProblem } from '../../api/frame/html/form.ts'
import { verbFields } from '../../verbs/form.ts'
import { addContextRepository } from '../projects/verbs.ts'
import type { Html } from '../../api/frame/html/html.ts'
import type { RefusedForm } from '../../api/endpoint.ts'

/** What is typed to add one. */
export const contextFields = { only: ['name', 'location', 'ref'], required: ['name', 'location'] } as const

/** The context repositories, which the agent reads besides the project's own. */
export function contextSection(
  { domain, settings }: Project,
  session: Session,
  draft: RefusedForm | undefined,
): Html {
  const repositories = withDefaults(settings).contextRepositories
  const base = `/projects/${domain}/context`
  return html`<section>
    <h2>Context repositories</h2>
    <p class="muted">The agent reads and searches them, and never writes to them.</p>
    ${
      repositories.length === 0
        ? html`<p class="empty">None yet. Add the repository of the product, for example.</p>`
        : html`<dl class="facts">
            ${repositories.map(
              ({ name, location, ref }) =>
                html`<div>
                  <dt><code>@${name}</code></dt>
                  <dd class="with-button">
                    <span>${location} <span class="muted">branch ${ref}</span></span>
                    ${buttonForm(session, {
                      action: `${base}/remove`,
                      label: 'Remove',
                      kind: 'danger',
                      confirm: `Remove @${name}? The agent loses access from the next prompt. The repository isn’t affected.`,
                      fields: { name },
                    })}
                  </dd>
                </div>`,
            )}
          </dl>`
    }
    <details class="create" data-key="context" ${draft ? html` open` : ''}>
      <summary>Add a context repository</summary>
      <form
        method="post"
        action="${base}"
        class="stack form"
        autocomplete="off"
        data-stay="Testing connection…"
      >
        ${csrfField(session)}
        ${verbFields(addContextRepository, { ...contextFields, prefix: 'context-', typed: draft?.values ?? new URLSearchParams() })}
        <p class="muted">
          On the project’s own site its credential is used, elsewhere the server’s. A folder on the server is
          named there, beside all others:
          <code>${ownCommand} project set ${domain} --context product=/path</code>
        </p>
        ${formProblem(draft?.message)}
        <button class="primary">Try and add</button>
      </form>
    </details>
  </section>`
}
