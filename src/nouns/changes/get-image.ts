import type { OpenMirror } from '../../features/projects/projects.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { sendImage } from '../../api/render/send-image.ts'

interface Ports {
  mirror: OpenMirror
}

/** An image of the project's repository by the id of its content, for the pages that show a change. */
export function getImageEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}/images/{oid}', 'getJobDiff', async ({ context, project }) => {
    return sendImage(context, () => ports.mirror(project))
  })
}
