import { html } from 'hono/html'
import type { Endpoint } from '../../api/endpoint.ts'
import { buttonForm, csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { ago, badge, table } from '../../api/frame/html/parts.ts'
import { show } from '../../api/frame/html/respond.ts'
import { typedInto, type Pages, type Visit } from '../../api/frame/pages.ts'
import { accountHolder } from '../../features/projects/allow.ts'
import { listProjects, type Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { serverForm, verbFields, verbForm } from '../../verbs/form.ts'
import { inSettings, settingsFrame } from '../../api/frame/settings-tab.ts'
import { afterConnecting, connectForms, showConnectForms } from './connect-forms.ts'
import { lastEvents } from './events.ts'
import { platforms } from './platforms.ts'
import * as deeds from './run.ts'
import { findLink, listChannels, listChats, type Chat, type ChatChannel } from './table.ts'
import { changeChatChannel } from './verbs.ts'

interface Ports extends deeds.ChatPorts {
  now(): Date
}

const path = '/projects/{domain}/chat'
const linkPath = '/account/chat'
const decided = {
  only: ['name', 'project', 'asks', 'changes', 'answers', 'posts', 'language'],
  required: ['name'],
} as const
const mostShown = 10

const asksWords = [
  ['anyone', 'Anyone in the channel'],
  ['linked', 'Members with a linked account that can read the project'],
  ['nobody', 'Nobody'],
] as const
const answersWords = [
  ['mentions', 'Messages that mention the app, and replies in its threads'],
  ['quiet', 'Messages that mention the app'],
  ['everything', 'Every message'],
] as const
const changesWords = [
  ['linked', 'Members whose linked account may'],
  ['nobody', 'Nobody'],
] as const
const postsWords = [
  ['nothing', 'Nothing'],
  ['attention', 'What needs someone: questions, failures, pull requests that wait, gaps once a week'],
  ['everything', 'Also pull requests that were opened and merged'],
  ['digest', 'Questions at once, everything else in one message a day'],
] as const

/** Where chats are set up, and where people link their account. */
export function chatPages(pages: Pages, ports: Ports): Endpoint[] {
  const list = listPage(pages, ports)
  const link = linkPage(pages, ports)
  const again =
    (done: string) =>
    ({ context, project }: Visit & { project: Project }) =>
      context.redirect(`/projects/${project.domain}/chat?done=${done}`, 303)
  const chatIn = ({ context }: Visit): { chat: string } => ({ chat: context.req.param('chat') ?? '' })
  return [
    list,
    link,
    ...connectForms.map(({ platform, typed }) =>
      verbForm(pages, ports, `${path}/${platform}`, deeds.connectChat, {
        typed,
        shownOn: list,
        given: () => ({ platform }),
        done: again('chat-connected'),
      }),
    ),
    verbForm(pages, ports, `${path}/{chat}/channels`, deeds.changeChatChannel, {
      typed: decided,
      shownOn: list,
      // The address of the verb ends with the channel, which the form asks for.
      given: (visit) => ({ ...chatIn(visit), channel: (visit.form.get('channel') ?? '').trim() }),
      done: again('channel-saved'),
    }),
    verbForm(pages, ports, `${path}/{chat}/disconnect`, deeds.disconnectChat, {
      given: chatIn,
      done: again('chat-disconnected'),
    }),
    serverForm(pages, ports, linkPath, deeds.linkChatAccount, {
      typed: { only: ['token'], required: ['token'] },
      shownOn: link,
      given: () => ({}),
      done: ({ context }) => context.redirect('/account?done=chat-linked', 303),
    }),
  ]
}

function listPage(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(path, 'listChats', async ({ context, session, project }) => {
    const { db } = ports.store
    const now = ports.now()
    const chats = await listChats(db, project.id)
    const projects = await listProjects(db, [project.organizationId])
    const parts = await Promise.all(
      chats.map(async (chat) =>
        workspacePart(session, project, {
          chat,
          url: deeds.eventsUrl(ports.publicUrl(), chat.id),
          projects,
          channels: await listChannels(db, chat.id),
          events: eventTable(await lastEvents(db, chat.id, mostShown), now),
          now,
        }),
      ),
    )
    const body = html`<h1>Chat</h1>
      <p class="muted">
        People ask about the docs and start jobs in <a href="/docs/docwright/guides/slack">Slack</a>,
        <a href="/docs/docwright/guides/discord">Discord</a>,
        <a href="/docs/docwright/guides/teams">Microsoft Teams</a> and
        <a href="/docs/docwright/guides/google-chat">Google Chat</a>.
      </p>
      ${parts} ${showConnectForms(session, project, (at) => typedInto(context, at), chats.length === 0)}`
    return show(
      context,
      { title: 'Chat', session, project, ...inSettings(project, 'chat'), styles: ['manage.css'] },
      settingsFrame(project, 'chat', body),
    )
  })
}

interface Shown {
  chat: Chat
  url: string
  /** Of the organization. */
  projects: readonly Project[]
  channels: readonly ChatChannel[]
  events: Html
  now: Date
}

function workspacePart(
  session: Session,
  project: Project,
  { chat, url, projects, channels, events, now }: Shown,
): Html {
  const base = `/projects/${project.domain}/chat/${chat.id}`
  return html`<section>
    <div class="heading">
      <h2>${chat.name}</h2>
      ${buttonForm(session, {
        action: `${base}/disconnect`,
        label: 'Disconnect',
        kind: 'danger',
        confirm: 'Disconnect this workspace? Its tokens, linked accounts and channels are deleted.',
      })}
    </div>
    <p class="muted">${platforms[chat.platform].name} · connected ${ago(chat.createdAt, now)}</p>
    ${afterConnecting(chat, url)}
    <h3>Channels</h3>
    ${
      channels.length === 0
        ? html`<p class="empty">No channel is set up. ${defaultText(project)}</p>`
        : table(
            'Channels',
            [
              'Channel',
              'Project',
              'Who can ask',
              'Who can start jobs',
              'What is answered',
              'What is posted',
              'Language',
            ],
            channels.map(
              (one) =>
                html`<tr>
                  <td class="wide">${one.name}<br /><small class="muted id">${one.channel}</small></td>
                  <td>${domainOf(projects, one.projectId)}</td>
                  <td>${wordsOf(asksWords, one.asks)}</td>
                  <td>${wordsOf(changesWords, one.changes)}</td>
                  <td>${wordsOf(answersWords, one.answers)}</td>
                  <td>${wordsOf(postsWords, one.posts)}</td>
                  <td>${one.language === '' ? 'All' : one.language}</td>
                </tr>`,
            ),
          )
    }
    <details class="create">
      <summary>Set up a channel</summary>
      <form method="post" action="${base}/channels" class="stack">
        ${csrfField(session)}
        <label for="${chat.id}-channel">Channel ID</label>
        <input
          id="${chat.id}-channel"
          name="channel"
          required
          placeholder="${platforms[chat.platform].channel.example}"
          aria-describedby="${chat.id}-channel-hint"
        />
        <small class="muted" id="${chat.id}-channel-hint">${platforms[chat.platform].channel.where}</small>
        ${verbFields(changeChatChannel, { ...decided, prefix: `${chat.id}-`, typed: new URLSearchParams({ project: project.domain, answers: 'mentions' }), options: { project: projects.map(({ domain }) => [domain, domain] as const), asks: asksWords, changes: changesWords, answers: answersWords, posts: postsWords } })}
        <button>Save channel</button>
      </form>
    </details>
    <h3>Last events</h3>
    ${events}
  </section>`
}

function domainOf(projects: readonly Project[], id: string): string {
  return projects.find((project) => project.id === id)?.domain ?? ''
}

function wordsOf(words: readonly (readonly [string, string])[], value: string): string {
  return words.find(([name]) => name === value)?.[1] ?? value
}

function defaultText({ settings }: Project): string {
  return settings.visibility === 'public'
    ? 'Anyone can ask by mentioning the app.'
    : 'The project is private: people ask in direct messages, after they linked their account.'
}

function eventTable(events: Awaited<ReturnType<typeof lastEvents>>, now: Date): Html {
  if (events.length === 0)
    return html`<p class="empty">Nothing yet. Mention the app in a channel that it was invited to.</p>`
  return table(
    'Last events',
    ['Event', 'State', 'Received'],
    events.map(
      ({ key, state, error, receivedAt }) =>
        html`<tr>
          <td>${key.split(' ')[0]}</td>
          <td class="wide">
            ${badge(state)} ${error === undefined ? '' : html`<br /><small>${error}</small>`}
          </td>
          <td>${ago(receivedAt, now)}</td>
        </tr>`,
    ),
  )
}

function linkPage(pages: Pages, ports: Ports): Endpoint {
  return pages.page(linkPath, 'linkChatAccount', async ({ context, session, caller }) => {
    const token = context.req.query('token') ?? typedInto(context, linkPath).get('token') ?? ''
    const link = await findLink(ports.store.db, token)
    const person = accountHolder(caller)
    const body = html`<div class="card narrow">
      <h1>Link your chat account</h1>
      ${
        link && person
          ? html`<p>
                <strong>${link.memberName}</strong> in <strong>${link.chatName}</strong> can then start jobs
                and merge pull requests as ${person.name}, with your rights. Only continue if that is you.
              </p>
              <form method="post" action="${linkPath}" class="stack">
                ${csrfField(session)}
                <input type="hidden" name="token" value="${token}" />
                <button class="primary">Link account</button>
              </form>`
          : person
            ? html`<p>
                This link was used already, or has expired. Write <code>/docwright link</code> in the chat for
                a new one.
              </p>`
            : html`<p>
                You’re signed in as the server operator, without an account.
                <a href="/people">Invite yourself</a>, then write <code>/docwright link</code> again.
              </p>`
      }
    </div>`
    return show(context, { title: 'Link your chat account', session, styles: ['people.css'] }, body)
  })
}
