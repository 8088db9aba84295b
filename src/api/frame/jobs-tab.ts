import type { Entry } from './html/inside.ts'
import { mayOpen } from './html/may-press.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'

const entries = [
  { name: 'jobs', title: 'All jobs' },
  { name: 'automations', title: 'Automations' },
  { name: 'impact', title: 'Impact of a change' },
] as const

/** What a page of jobs says of itself: where it stands in the navigation. */
export function inJobs(
  session: Session,
  { domain }: Project,
  current: (typeof entries)[number]['name'],
): { tab: 'jobs'; inside: Entry[] } {
  const inside = entries.map(({ name, title }) => ({
    href: `/projects/${domain}/${name}`,
    title,
    isCurrent: name === current,
  }))
  return { tab: 'jobs', inside: inside.filter(({ href }) => mayOpen(session, href)) }
}
