import { html } from 'hono/html'
import type { Job } from '../../../../features/agent/jobs.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { externalLink } from '../../html/external-link.ts'
import type { Html } from '../../html/html.ts'

/** To our own page where the forge is ours; its token is for others, a session needs none. */
export function pullRequestLink(project: Project, request: NonNullable<Job['pullRequest']>): Html {
  return project.kind === 'path'
    ? html`<a href="/projects/${project.domain}/pulls/${request.number}">#${request.number}</a>`
    : externalLink(request.link, `#${request.number}`)
}
