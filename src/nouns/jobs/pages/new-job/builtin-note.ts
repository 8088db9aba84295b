import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { Html } from '../../../../api/frame/html/html.ts'
import { linkFor } from '../../../../api/frame/html/may-press.ts'

/** Beside a prompt that only a language model can follow, where the project's model is the built-in one. */
export function builtinNote(session: Session, { domain }: Project): Html {
  return html`<div class="notice warning">
    <p>
      Jobs use the built-in model, which cannot write such a page: the job would end without a change. Choose
      another model in the
      ${linkFor(session, `/projects/${domain}/settings/agent`, 'settings', 'settings, or ask an owner to')}.
    </p>
  </div>`
}
