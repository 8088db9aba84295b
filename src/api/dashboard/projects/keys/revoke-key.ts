import { AppError } from '../../../../lib/errors.ts'
import { revokeKey } from '../../../../features/projects/keys.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { form, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'
import { keysOf } from './list-keys.ts'

export function revokeKeyEndpoint(ports: DashboardPorts): Endpoint {
  return form(ports, '/projects/{domain}/keys/revoke', async ({ context, form }) => {
    const project = await projectOf(ports, context)
    const id = fieldOf(form, 'id')
    if (!(await keysOf(ports.store.db, project)).some((key) => key.id === id))
      throw new AppError('not_found', 'This project has no such key; reload the page')
    await ports.store.transaction((tx) => revokeKey(tx, id))
    return context.redirect(`/projects/${project.domain}/keys?done=revoked`, 303)
  })
}
