import { findWebhook } from '../../../../features/agent/webhooks/webhooks.ts'
import type { Webhook } from '../../../../features/agent/webhooks/webhooks.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import type { RequestContext } from '../../../endpoint.ts'
import { noSuchPage } from '../../html/error-page.ts'
import { projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'

/** The project and the webhook that the path names. @throws AppError `not_found` */
export async function webhookOf(
  ports: Pick<DashboardPorts, 'store'>,
  context: RequestContext,
): Promise<{ project: Project; webhook: Webhook }> {
  const project = await projectOf(ports, context)
  const id = context.req.param('id') ?? ''
  const webhook = hasUnstorable(id) ? undefined : await findWebhook(ports.store.db, project.id, id)
  if (!webhook) throw noSuchPage()
  return { project, webhook }
}
