import { z } from '@hono/zod-openapi'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { defineVerb } from '../../verbs/verb.ts'

const path = '/v2/chat/{projectId}/workspaces'
const one = `${path}/{chat}` as const
const tag = 'Chat'

const platformNames = ['slack', 'discord', 'teams', 'google-chat'] as const
const asks = ['anyone', 'linked', 'nobody'] as const
const answers = ['quiet', 'mentions', 'everything'] as const
const changes = ['linked', 'nobody'] as const
const posts = ['nothing', 'attention', 'digest', 'everything'] as const

const languageRule = 'must be a language such as en or pt-BR'
const language = z
  .string({ error: languageRule })
  .trim()
  .regex(/^(?:[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2})?$/, languageRule)

const channel = z
  .object({
    channel: z.string(),
    name: z.string(),
    asks: z.enum(asks),
    answers: z.enum(answers),
    project: z.string().describe('Domain of the project that the channel is about.'),
    changes: z.enum(changes),
    posts: z.enum(posts),
    language: z.string().describe('Whose pages are searched; all when it is empty.'),
  })
  .openapi('ChatChannel', { description: 'What the team decided for a channel.' })

const event = z
  .object({
    receivedAt: z.iso.datetime(),
    kind: z.enum(['message', 'command', 'button']),
    state: z.enum(['waiting', 'done', 'failed']),
    attempts: z.int(),
    error: z.string().nullable(),
  })
  .openapi('ChatEvent', { description: 'Something that a workspace sent, without its text.' })

const workspace = z
  .object({
    id: z.string(),
    platform: z.enum(platformNames),
    name: z.string(),
    createdAt: z.iso.datetime(),
    eventsUrl: z
      .url()
      .nullable()
      .describe(
        'Where the platform sends events, commands and presses of buttons; null where this server calls it.',
      ),
    channels: z.array(channel).describe('Other channels follow the visibility of the project.'),
    events: z.array(event).describe('The last ones, newest first.'),
  })
  .openapi('ChatWorkspace', {
    description: 'A workspace of a chat platform that is connected to the project.',
  })

export type ChatWorkspace = z.output<typeof workspace>

const token = (rule: string) =>
  z
    .string({ error: rule })
    .trim()
    .max(500, rule)
    .refine((value) => /^[\x21-\x7e]+$/.test(value), rule)

const workspaceRule = 'must be the ID of a Discord server, a number, or of a tenant of Microsoft'
const appRule = 'must be the application (client) ID of the app, or the number of a project of Google Cloud'
const keyRule = 'must be the bot token of the app, or the JSON key of its service account'

const nameRule = 'must be text of 1 to 200 characters'
const name = z
  .string({ error: nameRule })
  .trim()
  .min(1, nameRule)
  .max(200, nameRule)
  .refine((value) => !hasUnstorable(value), nameRule)

export const listChats = defineVerb({
  name: 'listChats',
  address: `get ${path}`,
  tag,
  summary: 'List chat workspaces',
  description: 'Workspaces in which people can ask the assistant and start jobs, oldest first.',
  input: z.object({}),
  output: z.object({ workspaces: z.array(workspace) }),
  answer: [200, 'The workspaces'],
  fields: {},
})

export const connectChat = defineVerb({
  name: 'connectChat',
  address: `post ${path}`,
  tag,
  summary: 'Connect a chat workspace',
  description:
    'Connects the Slack workspace in which your app is installed, the Discord server in which your bot is, Microsoft Teams, or Google Chat. One that is connected already gets the new tokens.',
  input: z.object({
    platform: z
      .enum(platformNames, `must be one of ${platformNames.join(', ')}`)
      .optional()
      .describe('Slack, when it is not given.'),
    workspace: z
      .string({ error: workspaceRule })
      .trim()
      .regex(/^(?:\d{15,22}|[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12})$/, workspaceRule)
      .toLowerCase()
      .optional()
      .openapi({
        description:
          'Discord: ID of the server, where the bot is in several. Teams: the directory (tenant) ID.',
        example: '123456789012345678',
      }),
    botToken: z
      .string({ error: keyRule })
      .trim()
      .max(5000, keyRule)
      .refine((value) => /^(?:[\x21-\x7e]{1,500}|\{[\s\x21-\x7e]+\})$/.test(value), keyRule)
      .openapi({
        description:
          'Slack: the “Bot User OAuth Token”. Discord: the token on the app’s page “Bot”. Teams: the value of a client secret. Google Chat: the JSON key of the service account, as it was downloaded.',
        example: 'xoxb-0-1-example',
      }),
    signingSecret: token('must be the signing secret of the app')
      .openapi({
        description:
          'Slack: the “Signing Secret” among the basic information of the app. Needed unless there is an `appToken`.',
        example: '0123456789abcdef0123456789abcdef',
      })
      .optional(),
    appToken: token('must be an app-level token of Slack')
      .openapi({
        description:
          'Slack: an app-level token with the scope `connections:write`, for Socket Mode: this server then calls Slack, so that it needs no public address.',
        example: 'xapp-1-A0-0-example',
      })
      .optional(),
    appId: z
      .string({ error: appRule })
      .trim()
      .regex(/^(?:\d{6,20}|[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12})$/, appRule)
      .toLowerCase()
      .openapi({
        description:
          'Teams: the application (client) ID. Google Chat: the number of the Cloud project, where that is the authentication audience.',
        example: '0f8fad5b-d9cb-469f-a165-70867728950e',
      })
      .optional(),
  }),
  output: workspace,
  answer: [201, 'The workspace'],
  fields: {
    platform: { label: 'Platform' },
    appId: { label: 'Application (client) ID' },
    workspace: { label: 'Workspace ID' },
    botToken: {
      label: 'Bot token',
      type: 'password',
      secret: true,
    },
    signingSecret: {
      label: 'Signing secret',
      type: 'password',
      secret: true,
      below: '“Signing Secret” among the app’s basic information',
    },
    appToken: {
      label: 'App-level token',
      type: 'password',
      secret: true,
      hint: 'for Socket Mode, instead of the signing secret',
      below: 'Begins with xapp-. For servers without a public address',
    },
  },
})

export const changeChatChannel = defineVerb({
  name: 'changeChatChannel',
  address: `post ${one}/channels/{channel}`,
  tag,
  summary: 'Set up a channel',
  description:
    'Says which project a channel is about, who can ask and start jobs in it, and what is answered and posted there. What is left out stays as it is. In a channel of a private project, no one can ask until this allows it, because everyone in the channel reads the answers.',
  input: z.object({
    name: name.describe('As people call the channel.'),
    asks: z
      .enum(asks, `must be one of ${asks.join(', ')}`)
      .describe('`linked`: members who linked an account that can read the project.'),
    answers: z
      .enum(answers, `must be one of ${answers.join(', ')}`)
      .describe(
        '`mentions`: messages that mention the app, and replies in its threads. `quiet`: mentions alone.',
      ),
    project: z
      .string({ error: 'must be a domain or an ID of a project' })
      .max(200, 'must be a domain or an ID of a project')
      .optional()
      .describe(
        'Domain or ID of the project that is asked about and changed here: another one of the organization, or the workspace’s own, which is usual.',
      ),
    changes: z
      .enum(changes, `must be one of ${changes.join(', ')}`)
      .optional()
      .describe('`linked`, as usual: members whose linked account may.'),
    posts: z
      .enum(posts, `must be one of ${posts.join(', ')}`)
      .optional()
      .describe(
        'What is posted without being asked: `nothing`, as usual; `attention`: questions of the agent, failed jobs, pull requests that wait for review for three days, and gaps once a week; `everything`: also pull requests that were opened and merged; `digest`: questions at once, and everything else in one message a day.',
      ),
    language: language.optional().openapi({
      description:
        'Language of the pages that are searched, for docs in several. All when it is empty, as usual.',
      example: 'en',
    }),
  }),
  output: workspace,
  answer: [200, 'The workspace'],
  fields: {
    name: { label: 'Name', option: '--name <name>', help: 'channel name' },
    asks: { label: 'Who can ask', option: '--asks <who>', help: `who can ask: ${asks.join(', ')}` },
    answers: {
      label: 'What is answered',
      option: '--answers <what>',
      help: `what is answered: ${answers.join(', ')}`,
    },
    project: {
      label: 'Project',
      option: '--about <project>',
      help: 'project of the channel (default: unchanged, or the project of the workspace)',
    },
    changes: {
      label: 'Who can start jobs',
      option: '--changes <who>',
      help: `who can start jobs: ${changes.join(', ')}`,
    },
    posts: {
      label: 'What is posted without being asked',
      option: '--posts <what>',
      help: `what is posted without being asked: ${posts.join(', ')}`,
    },
    language: {
      label: 'Language',
      option: '--language <language>',
      hint: 'of the pages that are searched',
      below: 'Such as en or pt-BR. All languages when it is empty.',
      help: 'language of the pages that are searched; all when it is empty',
    },
  },
})

export const disconnectChat = defineVerb({
  name: 'disconnectChat',
  address: `delete ${one}`,
  tag,
  summary: 'Disconnect a workspace',
  description: 'Deletes its tokens, linked accounts and channels. Conversations and jobs stay.',
  input: z.object({}),
  output: workspace,
  answer: [200, 'What was disconnected'],
  fields: {},
})

const linkToken = z
  .string()
  .max(100, 'must have at most 100 characters')
  .describe('From the address that the app sent.')

export const linkChatAccount = defineVerb({
  name: 'linkChatAccount',
  address: 'post /admin/account/chat',
  tag: 'People',
  summary: 'Link a chat account',
  description:
    'Lets a member of a workspace start jobs with your rights. The token is from the address that the app sends, and works once.',
  input: z.object({ token: linkToken }),
  output: z.object({ workspace: z.string(), member: z.string() }),
  answer: [200, 'Whose account it is'],
  fields: { token: { label: 'Token', secret: true } },
})
