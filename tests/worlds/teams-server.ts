import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { z } from 'zod'

/** A message of the app, as it is now. */
export interface TeamsMessage {
  /** As Teams names it, with the message that a thread begins with. */
  conversation: string
  id: string
  text: string
  buttons: { label: string; data: unknown }[]
  edits: number
}

export interface TeamsServer extends AsyncDisposable {
  /** For the settings of the server. */
  environment: Record<string, string>
  /** As activities name it. */
  serviceUrl: string
  messages: TeamsMessage[]
  /** Calls that arrived, as `POST /path`. */
  calls: string[]
  /** Does what calls ask for that begin with this, and does not answer them. */
  unanswered: string | undefined
  /** The first calls that begin with this are told to wait. */
  limited: { path: string; times: number } | undefined
  /** Members who have the app for themselves. */
  withApp: Set<string>
  /** A token of the Bot Framework. */
  sign(claims?: Claims): Promise<string>
}

interface Claims {
  audience?: string
  issuer?: string
  serviceurl?: string
  /** Seconds from now at which it ends. */
  ends?: number
  /** Which key signs: one that Teams uses, one of another channel, or one that nobody knows. */
  key?: 'teams' | 'other' | 'unknown'
}

export const teamsApp = '11111111-aaaa-4bbb-8ccc-000000000001'
export const teamsTenant = '22222222-aaaa-4bbb-8ccc-000000000002'
export const teamsSecret = 'teams-test~secret'
const accessToken = 'access-token-of-the-app'

const action = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('Action.Submit'),
    title: z.string(),
    data: z.record(z.string(), z.unknown()),
    style: z.enum(['positive', 'destructive']).optional(),
  }),
  z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string(), url: z.url() }),
])
/** What the app sends, after the published schema of cards, as far as the app needs it. */
const activity = z.strictObject({
  type: z.literal('message'),
  summary: z.string(),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      content: z.strictObject({
        type: z.literal('AdaptiveCard'),
        $schema: z.url(),
        version: z.enum(['1.0', '1.1', '1.2', '1.3', '1.4']),
        msteams: z.strictObject({ width: z.literal('Full') }),
        body: z.array(
          z.discriminatedUnion('type', [
            z.strictObject({
              type: z.literal('TextBlock'),
              text: z.string().min(1),
              wrap: z.boolean(),
              fontType: z.enum(['Default', 'Monospace']).optional(),
            }),
            z.strictObject({ type: z.literal('ActionSet'), actions: z.array(action).min(1).max(6) }),
          ]),
        ),
      }),
    }),
  ]),
})
const account = z.strictObject({ id: z.string() })
const begun = z.strictObject({
  bot: account,
  tenantId: z.literal(teamsTenant),
  isGroup: z.boolean(),
  members: z.array(account).length(1).optional(),
  channelData: z.strictObject({
    tenant: z.strictObject({ id: z.literal(teamsTenant) }),
    channel: z.strictObject({ id: z.string() }).optional(),
  }),
  activity: activity.optional(),
})

const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise((read) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    request.on('end', () => read(text))
  })

/** Speaks what the app needs of the Bot Framework and of Microsoft’s sign-in, in their published form, and refuses everything else. */
export async function startTeams(): Promise<TeamsServer> {
  const keys = {
    teams: await generateKeyPair('RS256'),
    other: await generateKeyPair('RS256'),
    unknown: await generateKeyPair('RS256'),
  }
  const published = await Promise.all(
    (['teams', 'other'] as const).map(async (kid) => ({
      ...(await exportJWK(keys[kid].publicKey)),
      kid,
      use: 'sig',
      endorsements: [kid === 'teams' ? 'msteams' : 'webchat'],
    })),
  )
  const state: Pick<TeamsServer, 'messages' | 'calls' | 'unanswered' | 'limited' | 'withApp'> = {
    messages: [],
    calls: [],
    unanswered: undefined,
    limited: undefined,
    withApp: new Set(),
  }
  let clock = 1_700_000_000_000

  function contentOf({
    attachments: [{ content }],
  }: z.output<typeof activity>): Pick<TeamsMessage, 'text' | 'buttons'> {
    return {
      text: content.body.flatMap((part) => (part.type === 'TextBlock' ? [part.text] : [])).join('\n\n'),
      buttons: content.body.flatMap((part) =>
        part.type === 'ActionSet'
          ? part.actions.map((one) => ({ label: one.title, data: 'data' in one ? one.data : undefined }))
          : [],
      ),
    }
  }
  function add(conversation: string, given: z.output<typeof activity>): string {
    const id = String(++clock)
    state.messages.push({
      // A message in a channel begins a thread.
      conversation: conversation.endsWith('@thread.tacv2') ? `${conversation};messageid=${id}` : conversation,
      id,
      ...contentOf(given),
      edits: 0,
    })
    return id
  }

  function answerTo(call: string, json: unknown): [number, object?] {
    const match = (pattern: RegExp): string[] | undefined => pattern.exec(call)?.slice(1)
    if (/^POST \/(?:emea|teams)\/v3\/conversations$/.test(call)) {
      const { isGroup, members, channelData, activity: first } = begun.parse(json)
      const channel = channelData.channel?.id
      if (isGroup && channel !== undefined && first) {
        const id = add(channel, first)
        return [201, { id: `${channel};messageid=${id}`, activityId: id }]
      }
      const member = members?.[0]?.id ?? ''
      if (isGroup || !state.withApp.has(member))
        return [403, { error: { code: 'BotNotInConversationRoster', message: 'The bot is not part of it.' } }]
      return [201, { id: `a:${member}` }]
    }
    const posted = match(/^POST \/(?:emea|teams)\/v3\/conversations\/([^/]+)\/activities$/)?.[0]
    if (posted !== undefined) return [201, { id: add(posted, activity.parse(json)) }]
    const edited = match(/^PUT \/(?:emea|teams)\/v3\/conversations\/([^/]+)\/activities\/([^/]+)$/)
    if (edited) {
      const message = state.messages.find((one) => one.conversation === edited[0] && one.id === edited[1])
      if (!message)
        return [404, { error: { code: 'ActivityNotFoundInConversation', message: 'No activity.' } }]
      Object.assign(message, contentOf(activity.parse(json)), { edits: message.edits + 1 })
      return [200, { id: message.id }]
    }
    return [404, { error: { code: 'NotFound', message: call } }]
  }

  function grant(form: URLSearchParams): [number, object] {
    if (form.get('client_secret') !== teamsSecret || form.get('client_id') !== teamsApp)
      return [
        401,
        {
          error: 'invalid_client',
          error_description: 'AADSTS7000215: Invalid client secret provided.\r\nTrace ID: 1',
        },
      ]
    const isAsked =
      form.get('grant_type') === 'client_credentials' &&
      form.get('scope') === 'https://api.botframework.com/.default'
    return isAsked
      ? [200, { token_type: 'Bearer', expires_in: 3599, access_token: accessToken }]
      : [400, { error: 'invalid_request' }]
  }

  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      const call = `${request.method} ${decodeURIComponent(request.url ?? '')}`
      state.calls.push(call)
      const reply = (status: number, json?: object, headers: Record<string, string> = {}): void => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        response.end(json && JSON.stringify(json))
      }
      if (call === 'GET /keys')
        return reply(200, { issuer: 'https://api.botframework.com', jwks_uri: `${url}/jwks` })
      if (call === 'GET /jwks') return reply(200, { keys: published })
      if (call === `POST /login/${teamsTenant}/oauth2/v2.0/token`)
        return reply(...grant(new URLSearchParams(text)))
      if (request.headers.authorization !== `Bearer ${accessToken}`)
        return reply(401, { error: { code: 'Unauthorized', message: 'No token.' } })
      if (state.limited && state.limited.times > 0 && call.startsWith(state.limited.path)) {
        state.limited.times--
        return reply(429, { error: { code: 'TooManyRequests', message: 'Wait.' } }, { 'retry-after': '0.2' })
      }
      let answer: [number, object?]
      try {
        answer = answerTo(call, JSON.parse(text))
      } catch (error) {
        answer = [400, { error: { code: 'BadSyntax', message: String(error) } }]
      }
      if (state.unanswered !== undefined && call.startsWith(state.unanswered)) return undefined
      return reply(...answer)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const serviceUrl = `${url}/emea/`
  return Object.assign(state, {
    serviceUrl,
    environment: {
      DOCWRIGHT_TEAMS_API: `${url}/teams`,
      DOCWRIGHT_TEAMS_LOGIN: `${url}/login`,
      DOCWRIGHT_TEAMS_KEYS: `${url}/keys`,
    },
    sign({
      audience = teamsApp,
      issuer = 'https://api.botframework.com',
      serviceurl = serviceUrl,
      ends = 3600,
      key = 'teams',
    }: Claims = {}) {
      return new SignJWT({ serviceurl })
        .setProtectedHeader({ alg: 'RS256', kid: key, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setNotBefore('-10m')
        .setExpirationTime(Math.floor(Date.now() / 1000) + ends)
        .sign(keys[key].privateKey)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  })
}
