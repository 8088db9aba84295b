import { html } from 'hono/html'
import type { Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Html } from './html.ts'
import { linkFor } from './may-press.ts'

/** Beside a prompt that only a language model can follow, where the project's model is the built-in one. */
export function builtinNote(session: Session, { domain }: Project): Html {
  return html`<div class="notice warning">
    <p>
      The built-in model can’t write new pages, so this job wouldn’t change anything. Choose another model in
      ${linkFor(session, `/projects/${domain}/settings/agent`, 'settings', 'settings, or ask an owner to')}.
    </p>
  </div>`
}
