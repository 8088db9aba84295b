import { html } from 'hono/html'
import { mayDo } from '../../../features/projects/allow.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Verb } from '../../../features/projects/rights.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import { mayGo } from '../../addresses.ts'
import type { Html } from './html.ts'

type Visiting = Pick<Session, 'person' | 'organization'>

/** Whether to show somebody a part of a page that is there to do `verb` to a project. The verb itself is checked again. */
export function mayPress(
  { person }: Pick<Session, 'person'>,
  verb: Verb,
  { organizationId }: Pick<Project, 'organizationId'>,
): boolean {
  return mayDo({ kind: 'person', person }, verb, organizationId)
}

/** Whether to lead somebody to a page of the dashboard: whether they may do what that page is for. */
export function mayOpen({ person, organization }: Visiting, href: string): boolean {
  return mayGo({ kind: 'person', person }, 'get', href, organization?.id)
}

/** The same for a form, by the address that it is sent to. */
export function maySend({ person, organization }: Visiting, action: string): boolean {
  return mayGo({ kind: 'person', person }, 'post', action, organization?.id)
}

/** A link to a page of the dashboard for those who may open it, and `otherwise` for the others. */
export function linkFor(
  session: Visiting,
  href: string,
  label: string | Html,
  otherwise: string | Html = '',
): Html {
  return mayOpen(session, href) ? html`<a href="${href}">${label}</a>` : html`${otherwise}`
}

/** The same as a button, for those who may open the page. */
export function linkButtonFor(session: Visiting, href: string, label: string | Html): Html {
  return mayOpen(session, href) ? html`<a class="button" href="${href}">${label}</a>` : html``
}
