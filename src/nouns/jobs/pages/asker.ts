import { html } from 'hono/html'
import type { AskedByColumn } from '../../../store/columns.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { initials } from '../../../api/frame/html/initials.ts'
import { icon } from '../../../api/frame/html/icons.ts'

/** Who asked for something. Names of comments' authors are untrusted. */
export function askerName(by: AskedByColumn | undefined): Html {
  if (by === undefined) return html`<span class="muted">not recorded</span>`
  const { kind, name } = by
  if (kind === 'key') return html`key <code>${name}</code>`
  if (kind === 'comment') return html`<strong>${name}</strong> in a comment on the pull request`
  if (kind === 'automation') return html`automation <strong>${name}</strong>`
  return html`<strong>${name}</strong>`
}

/** A round picture of initials; the name stands beside it. */
export function avatar(by: AskedByColumn | undefined): Html {
  return html`<span class="avatar" aria-hidden="true">${by ? initials(by.name) : '?'}</span>`
}

export function agentAvatar(): Html {
  return html`<span class="avatar agent" aria-hidden="true">${icon('agent')}</span>`
}
