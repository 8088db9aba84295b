import { html } from 'hono/html'
import { AppError } from '../../../../lib/errors.ts'
import { createKey, listProjectKeys, revokeKey } from '../../../../features/projects/keys.ts'
import type { NewKey } from '../../../../features/projects/keys.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { copyable } from '../../html/form.ts'
import { show } from '../../html/respond.ts'
import { projectForm } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'

export function keyForms(ports: DashboardPorts): Endpoint[] {
  const { store } = ports
  const path = '/projects/{domain}/keys'
  return [
    // Shows the new key in the answer itself: it is kept nowhere, so there is nothing to redirect to.
    projectForm(ports, path, 'createKey', async ({ context, session, project, form }) => {
      const input = readKey(form, project, ports.now())
      const { key, secret } = await store.transaction((tx) => createKey(tx, input))
      const body = html`<h1>Copy your new key now</h1>
        <p>This is the only time that it is shown.</p>
        <div class="secret">${copyable(secret, 'the key')}</div>
        <p class="muted">
          ${key.kind === 'admin' ? 'A secret: keep it on servers, never in a web page.' : 'Public: it may stand in a web page.'}
        </p>
        <p><a class="button" href="/projects/${project.domain}/keys">I have copied it</a></p>`
      return show(context, { title: 'New key', session, project, tab: 'keys' }, body)
    }),
    projectForm(ports, `${path}/revoke`, 'revokeKey', async ({ context, project, form }) => {
      const id = fieldOf(form, 'id')
      if (!(await listProjectKeys(store.db, project)).some((key) => key.id === id))
        throw new AppError('not_found', 'This project has no such key; reload the page')
      await store.transaction((tx) => revokeKey(tx, id))
      return context.redirect(`/projects/${project.domain}/keys?done=revoked`, 303)
    }),
  ]
}

function readKey(form: URLSearchParams, project: Project, now: Date): NewKey {
  const kind = fieldOf(form, 'kind')
  if (kind !== 'admin' && kind !== 'assistant')
    throw new AppError('invalid', 'Choose the kind of key: admin or assistant')
  const name = fieldOf(form, 'name')
  if (name.length > 100) throw new AppError('invalid', 'The name is longer than 100 characters; shorten it')
  const days = fieldOf(form, 'days')
  if (days !== '' && !(/^\d{1,4}$/.test(days) && Number(days) >= 1 && Number(days) <= 3650))
    throw new AppError('invalid', 'A key expires after 1 to 3650 days, or never when the field is empty')
  return {
    kind,
    organizationId: project.organizationId,
    projectId: kind === 'assistant' ? project.id : undefined,
    name,
    origins: kind === 'assistant' ? linesOf(fieldOf(form, 'origins')) : [],
    scopes: form.getAll('scope'),
    addresses: linesOf(fieldOf(form, 'addresses')),
    expiresAt: days === '' ? undefined : new Date(now.getTime() + Number(days) * 86_400_000),
  }
}

function linesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== '')
}
