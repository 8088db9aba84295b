import { removeContextRepository } from '../../../../features/projects/context-repositories.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { form, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'
import { refusalOf } from '../refused-form.ts'
import { settingsPage } from './settings-page.ts'

/** The forms of the section about context repositories. */
export function changeContextEndpoints(ports: DashboardPorts): Endpoint[] {
  const path = '/projects/{domain}/context'
  return [
    form(ports, path, async ({ context, session, form }) => {
      const project = await projectOf(ports, context)
      try {
        await ports.hosts.addContext(project, {
          name: fieldOf(form, 'name'),
          location: fieldOf(form, 'location'),
          ref: fieldOf(form, 'ref') || undefined,
        })
      } catch (thrown) {
        const refusal = refusalOf(ports, context, thrown)
        return settingsPage(ports, { context, session }, project, { form: 'context', values: form, refusal })
      }
      return context.redirect(`/projects/${project.domain}/settings?done=context-added`, 303)
    }),
    form(ports, `${path}/remove`, async ({ context, form }) => {
      const project = await projectOf(ports, context)
      await removeContextRepository(ports.store, project.id, fieldOf(form, 'name'))
      return context.redirect(`/projects/${project.domain}/settings?done=context-removed`, 303)
    }),
  ]
}
