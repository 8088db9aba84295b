import { html } from 'hono/html'
import { AppError } from '../../../lib/errors.ts'
import type { RepositoryKind } from '../../../integrations/forges/hosts.ts'
import type { Html } from '../html/html.ts'
import { fieldOf } from '../read-form.ts'

const kinds: readonly { kind: RepositoryKind; label: string }[] = [
  { kind: 'github', label: 'GitHub' },
  { kind: 'gitlab', label: 'GitLab' },
  { kind: 'gitea', label: 'Gitea or Forgejo' },
  { kind: 'bitbucket', label: 'Bitbucket Cloud' },
  { kind: 'git', label: 'something else: git alone' },
]

/** @param chosen empty: told from the address */
export function hostKindField(chosen: string): Html {
  return html`<label for="host">Kind of host</label>
    <select id="host" name="host">
      ${chosen === '' ? html`<option value="">found out from the address</option>` : ''}
      ${kinds.map(({ kind, label }) => html`<option value="${kind}" ${kind === chosen ? html` selected` : ''}>${label}</option>`)}
    </select>`
}

/** Undefined when it is to be found out. @throws AppError `invalid` */
export function readHostKind(form: URLSearchParams): RepositoryKind | undefined {
  const given = fieldOf(form, 'host')
  const found = kinds.find(({ kind }) => kind === given)
  if (given !== '' && !found) throw new AppError('invalid', 'Choose a kind of host from the list')
  return found?.kind
}
