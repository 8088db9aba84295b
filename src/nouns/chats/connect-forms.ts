import { html } from 'hono/html'
import { copyable, copyableBlock, csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import type { ChatPlatformColumn } from '../../store/tables/chat-tables.ts'
import { verbFields } from '../../verbs/form.ts'
import { slackManifest } from './slack/manifest.ts'
import type { Chat } from './table.ts'
import { teamsManifest } from './teams/manifest.ts'
import { connectChat } from './verbs.ts'

type Typed = Parameters<typeof verbFields<typeof connectChat>>[1]

interface ConnectForm {
  platform: ChatPlatformColumn
  /** What is typed into it. */
  typed: Pick<Typed, 'only' | 'required'>
  title: string
  steps: readonly Html[]
  words?: Typed['words']
  button: string
}

/** How each platform is connected, at the end of whose address its name stands. */
export const connectForms: readonly ConnectForm[] = [
  {
    platform: 'slack',
    typed: { only: ['botToken', 'signingSecret', 'appToken'], required: ['botToken'] },
    title: 'Connect a Slack workspace',
    steps: [
      html`<a href="https://api.slack.com/apps?new_app=1">Create a Slack app</a> from this manifest, and
        install it in your workspace. ${manifestPart('Manifest', slackManifest(undefined))}`,
      html`Copy its bot token and its signing secret into this form.`,
      html`This page then shows the manifest with the addresses that Slack calls. Paste it into the app.`,
      html`If Slack cannot reach this server, use Socket Mode: create the app from the manifest below, and
        give its app-level token (scope <code>connections:write</code>) instead of the signing secret. Skip
        the third step. ${manifestPart('Manifest for Socket Mode', slackManifest('socket'))}`,
    ],
    button: 'Connect workspace',
  },
  {
    platform: 'discord',
    typed: { only: ['botToken', 'workspace'], required: ['botToken'] },
    title: 'Connect a Discord server',
    steps: [
      html`<a href="https://discord.com/developers/applications">Create an app in the Developer Portal</a>. On
        its page “Bot”, turn on <strong>Message Content Intent</strong> and copy the token.`,
      html`Paste it into this form. Until the bot is in your server, the answer has the address that invites
      it.`,
    ],
    words: { workspace: { label: 'Server ID', hint: 'only if the bot is in several servers' } },
    button: 'Connect server',
  },
  {
    platform: 'teams',
    typed: { only: ['appId', 'workspace', 'botToken'], required: ['botToken'] },
    title: 'Connect Microsoft Teams',
    steps: [
      html`<a href="https://portal.azure.com/#create/Microsoft.AzureBot">Create an Azure Bot</a> of the type
        <strong>Single Tenant</strong>, and create a client secret for it.`,
      html`Copy its app ID, its tenant ID and the value of the secret into this form.`,
      html`This page then shows the messaging endpoint for the Azure Bot, and the manifest of the app for
      Teams.`,
    ],
    words: {
      workspace: { label: 'Directory (tenant) ID' },
      botToken: { label: 'Client secret', below: 'Its value, not its ID' },
    },
    button: 'Connect Teams',
  },
  {
    platform: 'google-chat',
    typed: { only: ['appId', 'botToken'], required: ['botToken'] },
    title: 'Connect Google Chat',
    steps: [
      html`In a project of Google Cloud,
        <a href="https://console.cloud.google.com/apis/library/chat.googleapis.com"
          >turn on the Google Chat API</a
        >
        and create a service account with a JSON key.`,
      html`Copy the number of the project and the content of the key file into this form.`,
      html`This page then shows the HTTP endpoint URL for the configuration of the Chat API.`,
    ],
    words: {
      appId: { label: 'Project number', below: 'On the welcome page of the Cloud project' },
      botToken: { label: 'JSON key', below: 'All that the downloaded file contains' },
    },
    button: 'Connect Google Chat',
  },
]

export function showConnectForms(
  session: Session,
  project: Project,
  typedInto: (path: string) => URLSearchParams,
  isFirst: boolean,
): Html[] {
  return connectForms.map(({ platform, typed: fields, title, steps, words, button }, index) => {
    const path = `/projects/${project.domain}/chat/${platform}`
    const typed = typedInto(path)
    const isOpen = typed.size > 0 || (isFirst && index === 0)
    return html`<details class="create" ${isOpen ? html` open` : ''}>
      <summary>${title}</summary>
      <ol class="steps">
        ${steps.map((step) => html`<li>${step}</li>`)}
      </ol>
      <form method="post" action="${path}" class="stack">
        ${csrfField(session)}
        ${verbFields(connectChat, { ...fields, prefix: `${platform}-`, typed, ...(words && { words }) })}
        <button class="primary">${button}</button>
      </form>
    </details>`
  })
}

/** What the platform is to be given once a workspace is connected. */
export function afterConnecting({ platform, bot }: Chat, url: string): Html | '' {
  if (platform === 'slack')
    return manifestPart('Manifest with the addresses that Slack calls', slackManifest({ url }))
  if (platform === 'google-chat')
    return html`<p>HTTP endpoint URL, for the Chat API: ${copyable(url, 'the endpoint')}</p>`
  if (platform !== 'teams') return ''
  return html`<p>Messaging endpoint, for the Azure Bot: ${copyable(url, 'the endpoint')}</p>
    ${manifestPart('Manifest of the app for Teams', teamsManifest(bot.slice(bot.indexOf(':') + 1), url))}`
}

function manifestPart(title: string, manifest: string): Html {
  return html`<details>
    <summary>${title}</summary>
    ${copyableBlock(manifest, 'the manifest')}
  </details>`
}
