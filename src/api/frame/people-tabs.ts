import { html } from 'hono/html'
import type { Session } from '../../features/projects/sign-in.ts'
import type { Html } from './html/html.ts'
import { mayOpen } from './html/may-press.ts'

/** Between the pages of an organization. */
export function peopleTabs(session: Session, current: 'people' | 'audit'): Html {
  const tab = (path: string, label: string, is: boolean): Html =>
    mayOpen(session, path)
      ? html`<a href="${path}" ${is ? html` aria-current="page"` : ''}>${label}</a>`
      : html``
  return html`<nav class="filter parts" aria-label="${session.organization?.name ?? ''}">
    ${tab('/people', 'People', current === 'people')} ${tab('/audit', 'Audit log', current === 'audit')}
  </nav>`
}
