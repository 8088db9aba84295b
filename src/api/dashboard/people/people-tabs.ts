import { html } from 'hono/html'
import { mayDo, type Caller } from '../../../features/projects/allow.ts'
import type { OwnOrganization } from '../../../features/projects/sign-in.ts'
import type { Html } from '../html/html.ts'

/** Between the pages of an organization. */
export function peopleTabs(caller: Caller, { id, name }: OwnOrganization, current: 'people' | 'audit'): Html {
  const tab = (path: string, label: string, is: boolean): Html =>
    html`<a href="${path}" ${is ? html` aria-current="page"` : ''}>${label}</a>`
  return html`<nav class="filter" aria-label="${name}">
    ${tab('/people', 'People', current === 'people')}
    ${mayDo(caller, 'listAudit', id) ? tab('/audit', 'Audit log', current === 'audit') : ''}
  </nav>`
}
