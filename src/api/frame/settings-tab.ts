import { html } from 'hono/html'
import type { Project } from '../../features/projects/projects.ts'
import type { Html } from './html/html.ts'
import type { Entry } from './html/inside.ts'

/** The groups of settings that are forms of their own, in the order in which they are shown. */
export const groups = [
  { name: 'general', title: 'General', text: 'Visibility and repository' },
  { name: 'host', title: 'Git host', text: 'Repository connection and permissions' },
  { name: 'agent', title: 'Agent', text: 'Job model and pull request settings' },
  {
    name: 'assistant',
    title: 'Assistant',
    text: 'Answer model and behavior',
  },
  {
    name: 'search',
    title: 'Semantic search',
    text: 'Find sections by meaning, not just matching words',
  },
  {
    name: 'policy',
    title: 'Policy',
    text: 'What the agent can change. Enforced by the server regardless of the prompt.',
  },
  {
    name: 'limits',
    title: 'Limits and budget',
    text: 'Spending limits and current usage',
  },
] as const

export type SettingsGroup = (typeof groups)[number]['name']

/** Pages beside the groups that belong to the settings of a project. */
const others = [
  { name: 'keys', title: 'API keys', path: '/keys' },
  { name: 'webhooks', title: 'Webhooks', path: '/webhooks' },
  { name: 'chat', title: 'Chat', path: '/chat' },
  { name: 'widget', title: 'Widget', path: '/widget' },
] as const

export function groupPath({ domain }: Pick<Project, 'domain'>, name: SettingsGroup): string {
  return `/projects/${domain}/settings${name === 'general' ? '' : `/${name}`}`
}

type SettingsPage = SettingsGroup | (typeof others)[number]['name']

/** What a page of the settings says of itself: where it stands in the navigation. */
export function inSettings(project: Project, current: SettingsPage): { tab: 'settings'; inside: Entry[] } {
  const entry = (name: string, href: string, title: string): Entry => ({
    href,
    title,
    isCurrent: name === current,
  })
  return {
    tab: 'settings',
    inside: [
      ...groups.map(({ name, title }) => entry(name, groupPath(project, name), title)),
      ...others.map(({ name, title, path }) => entry(name, `/projects/${project.domain}${path}`, title)),
    ],
  }
}

/** A page of the settings beside the list of all of them. */
export function settingsFrame(project: Project, current: SettingsPage, body: Html): Html {
  const { inside } = inSettings(project, current)
  return html`<div class="with-subnav">
    <nav class="subnav" aria-label="Settings">
      <ul>
        ${inside.map(({ href, title, isCurrent }) => html`<li><a href="${href}" ${isCurrent ? html` aria-current="page"` : ''}>${title}</a></li>`)}
      </ul>
    </nav>
    <div class="settings">${body}</div>
  </div>`
}

/** The heading of a group, with what it is about. */
export function groupHeading(name: SettingsGroup): Html {
  const group = groups.find((one) => one.name === name)
  return html`<h1>${group?.title}</h1>
    <p class="muted">${group?.text}</p>`
}
