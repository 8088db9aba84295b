import { hasJob } from '../../features/agent/job-versions.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { notFound } from '../errors.ts'
import { eventStream, eventStreamType, quiet } from '../event-stream.ts'
import type { Pages } from '../frame/pages.ts'
import { organizationFor } from '../organization-for.ts'
import { createPool } from '../pool.ts'
import { createChanges, nameOf, type Changes, type Subject } from './changes.ts'
import { createVersionReader } from './read-versions.ts'

interface Ports {
  store: Store
  publicUrl(): string
  access: Access
  /** Aborts when streams must end, because the server stops. */
  stopping: AbortSignal
}

/** Open pages that wait for changes. They are no part of the streams that programs read. */
const pageStreams = createPool({
  name: 'page-streams',
  total: 2000,
  unit: 'concurrent-requests',
  what: 'pages are open',
  advice: 'close some',
})

/**
 * The event streams that pages name in `Page.live`. They hold no content: each message is the version of what the
 * page shows, and a browser that sees another one fetches the page again.
 */
export function streamChangesEndpoints(pages: Pages, ports: Ports): Endpoint[] {
  const changes = createChanges(createVersionReader(ports.store.db))
  return [
    stream(pages, ports, changes, '/live/projects', async (context) => {
      const caller = await ports.access.server(context, 'listProjects')
      const { id } = await organizationFor(ports, context, { caller, verb: 'listProjects' })
      return { of: 'organization', id }
    }),
    stream(pages, ports, changes, '/live/projects/{domain}', async (context) => {
      const { project } = await ports.access.project(context, 'getProject')
      return { of: 'project', id: project.id }
    }),
    stream(pages, ports, changes, '/live/projects/{domain}/jobs/{id}', async (context) => {
      const { project } = await ports.access.project(context, 'getJob')
      const id = context.req.param('id') ?? ''
      if (hasUnstorable(id) || !(await hasJob(ports.store.db, project.id, id))) throw notFound('job', id)
      return { of: 'job', id }
    }),
  ]
}

const quietEvent = 'event: quiet\ndata: quiet\n\n'

/** @param open says what is shown, and throws for a caller who may not see it */
function stream(
  pages: Pages,
  ports: Ports,
  changes: Changes,
  path: string,
  open: (context: RequestContext) => Promise<Subject>,
): Endpoint {
  return pages.browserEndpoint('get', path, async (context) => {
    const subject = await open(context)
    // The response to HEAD has no body, and a stream without a reader would never end.
    if (context.req.method === 'HEAD') return context.body(null, 200, { 'Content-Type': eventStreamType })
    const options = { pool: pageStreams, stopping: ports.stopping }
    return eventStream(context, options, async function* (signal) {
      for await (const version of changes.follow(subject, { quiet, signal })) {
        if (version === '') {
          // A browser drops an event without data.
          yield 'event: version\ndata: gone\n\n'
          return
        }
        // Meanwhile the person may have signed out, lost the role, or gone to another organization.
        if (nameOf(await open(context)) !== nameOf(subject)) return
        // A browser sees by this event that the connection still works, not by a comment.
        yield version === undefined ? quietEvent : `event: version\ndata: ${version}\n\n`
      }
    })
  })
}
