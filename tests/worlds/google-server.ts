import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'

/** A message of the app, as it is now. */
export interface GoogleMessage {
  space: string
  /** `spaces/…/threads/…` */
  thread: string
  /** As the app has named it. */
  name: string
  text: string
  buttons: { label: string; parameters: { key: string; value: string }[] | undefined }[]
  /** The only member who sees it. */
  viewer: string | undefined
  edits: number
}

export interface GoogleServer extends AsyncDisposable {
  /** For the settings of the server. */
  environment: Record<string, string>
  /** The file that Google gives for the key of the app’s account. */
  accountKey: string
  messages: GoogleMessage[]
  /** What people wrote, by the name of the thread, oldest first. */
  written: Map<string, { name: string; text: string }[]>
  /** Whether an administrator lets the app read that. */
  isReadingAllowed: boolean
  /** Calls that arrived, as `POST /path`. */
  calls: string[]
  /** Does what calls ask for that begin with this, and does not answer them. */
  unanswered: string | undefined
  /** The first calls that begin with this are told that they are too many. */
  limited: { path: string; times: number } | undefined
  /** A token with which Google Chat calls the app. */
  sign(claims?: Claims): Promise<string>
}

interface Claims {
  /** The project’s number, or the address of an app without one. */
  audience?: string
  issuer?: string
  /** Seconds from now at which it ends. */
  ends?: number
  /** Whose key signs: that of Google Chat, that of Google’s sign-in, or one that nobody knows. */
  key?: 'chat' | 'google' | 'unknown'
  email?: string
}

const googleProject = 'docs-of-example'
export const googleNumber = '123456789012'
export const googleAccount = 'chat@system.gserviceaccount.com'
const accessTokens = { app: 'token-of-the-app', messages: 'token-for-messages' }
const scopes = {
  'https://www.googleapis.com/auth/chat.bot': accessTokens.app,
  'https://www.googleapis.com/auth/chat.app.messages.readonly': accessTokens.messages,
} as const
const email = `docwright@${googleProject}.iam.gserviceaccount.com`

/** What the app sends, after the schemas that Google publishes of messages and cards, as far as the app needs them. */
const button = z.strictObject({
  text: z.string().min(1),
  type: z.enum(['OUTLINED', 'FILLED', 'FILLED_TONAL', 'BORDERLESS']).optional(),
  onClick: z.union([
    z.strictObject({ openLink: z.strictObject({ url: z.url() }) }),
    z.strictObject({
      action: z.strictObject({
        function: z.string().min(1),
        parameters: z.array(z.strictObject({ key: z.string(), value: z.string() })),
      }),
    }),
  ]),
})
const widget = z.union([
  z.strictObject({ textParagraph: z.strictObject({ text: z.string().min(1) }) }),
  z.strictObject({ buttonList: z.strictObject({ buttons: z.array(button).min(1) }) }),
])
const cardsV2 = z.tuple([
  z.strictObject({
    cardId: z.string(),
    card: z.strictObject({
      sections: z.array(z.strictObject({ widgets: z.array(widget).min(1).max(100) })).min(1),
    }),
  }),
])
const message = z.strictObject({
  cardsV2,
  fallbackText: z.string().optional(),
  thread: z.strictObject({ name: z.string().regex(/^spaces\/\w+\/threads\/\w+$/) }).optional(),
  privateMessageViewer: z.strictObject({ name: z.string().regex(/^users\/\w+$/) }).optional(),
})
const created = z.strictObject({
  messageId: z.string().regex(/^client-[a-z0-9-]{1,56}$/),
  requestId: z.string().min(1),
  messageReplyOption: z.literal('REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD').optional(),
})
/** The tags that cards know. */
const tag = /<(?!\/?(?:b|i|s|u|br|a)\b)[^>]*>/
const mostBytes = 32_000

const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise((read) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    request.on('end', () => read(text))
  })
const refused = (code: number, status: string, message: string): [number, object] => [
  code,
  { error: { code, message, status } },
]

/** Speaks what the app needs of Google Chat and of Google’s sign-in, in their published form, and refuses everything else. */
export async function startGoogle(): Promise<GoogleServer> {
  const keys = {
    chat: await generateKeyPair('RS256'),
    google: await generateKeyPair('RS256'),
    unknown: await generateKeyPair('RS256'),
    account: await generateKeyPair('RS256', { extractable: true }),
  }
  const published = async (kid: 'chat' | 'google'): Promise<object> => ({
    keys: [{ ...(await exportJWK(keys[kid].publicKey)), kid, use: 'sig', alg: 'RS256' }],
  })
  const sets = { chat: await published('chat'), google: await published('google') }
  const accountKey = JSON.stringify(
    {
      type: 'service_account',
      project_id: googleProject,
      private_key_id: 'key-1',
      private_key: await exportPKCS8(keys.account.privateKey),
      client_email: email,
      client_id: '1',
      // Where a key’s file may not send its user.
      token_uri: 'http://127.0.0.1:9/token',
      universe_domain: 'googleapis.com',
    },
    undefined,
    2,
  )
  const state = {
    messages: [] as GoogleMessage[],
    written: new Map<string, { name: string; text: string }[]>(),
    isReadingAllowed: false,
    calls: [] as string[],
    unanswered: undefined as string | undefined,
    limited: undefined as GoogleServer['limited'],
  }
  const requests = new Map<string, GoogleMessage>()
  let clock = 0

  function contentOf(cards: z.output<typeof cardsV2>): Pick<GoogleMessage, 'text' | 'buttons'> {
    const widgets = cards[0].card.sections.flatMap((section) => section.widgets)
    const texts = widgets.flatMap((one) => ('textParagraph' in one ? [one.textParagraph.text] : []))
    if (texts.some((text) => tag.test(text))) throw new Error(`A tag that cards don’t know: ${texts.join()}`)
    return {
      text: texts.join('\n\n'),
      buttons: widgets.flatMap((one) =>
        'buttonList' in one
          ? one.buttonList.buttons.map(({ text, onClick }) => ({
              label: text,
              parameters: 'action' in onClick ? onClick.action.parameters : undefined,
            }))
          : [],
      ),
    }
  }
  const shown = ({ space, name, thread }: GoogleMessage): object => ({
    name: `spaces/${space}/messages/${thread.split('/').at(-1)}.${name}`,
    clientAssignedMessageId: name,
    thread: { name: thread },
  })

  function create(space: string, query: URLSearchParams, json: unknown): [number, object] {
    const { messageId: name, requestId, messageReplyOption } = created.parse(Object.fromEntries(query))
    const given = message.parse(json)
    const known = requests.get(`${space} ${requestId}`)
    if (known) return [200, shown(known)]
    if (state.messages.some((one) => one.space === space && one.name === name))
      return refused(409, 'ALREADY_EXISTS', 'Requested entity already exists')
    if (given.thread && messageReplyOption === undefined)
      return refused(400, 'INVALID_ARGUMENT', 'A reply without messageReplyOption begins a thread')
    const posted: GoogleMessage = {
      space,
      thread: given.thread?.name ?? `spaces/${space}/threads/T${++clock}`,
      name,
      ...contentOf(given.cardsV2),
      viewer: given.privateMessageViewer?.name,
      edits: 0,
    }
    state.messages.push(posted)
    requests.set(`${space} ${requestId}`, posted)
    return [200, shown(posted)]
  }

  function list(query: URLSearchParams): [number, object] {
    if (!state.isReadingAllowed)
      return refused(403, 'PERMISSION_DENIED', 'The caller does not have permission')
    if (query.get('orderBy') !== 'create_time DESC') return refused(400, 'INVALID_ARGUMENT', 'orderBy')
    const thread = /^thread\.name = (spaces\/\w+\/threads\/\w+)$/.exec(query.get('filter') ?? '')?.[1] ?? ''
    const space = thread.split('/')[1]
    const all = (state.written.get(thread) ?? []).toReversed()
    const from = Number(query.get('pageToken') ?? 0)
    // A page may be shorter than it was asked to be.
    const size = Math.min(Number(query.get('pageSize')), 30)
    const next = from + size < all.length ? { nextPageToken: String(from + size) } : {}
    const messages = all.slice(from, from + size).map(({ name, text }) => ({
      name: `spaces/${space}/messages/${name}`,
      text,
      sender: { name: 'users/1', type: 'HUMAN' },
    }))
    return [200, messages.length === 0 ? {} : { messages, ...next }]
  }

  function answerTo(call: string, query: URLSearchParams, text: string, token: string): [number, object] {
    const match = (pattern: RegExp): string[] | undefined => pattern.exec(call)?.slice(1)
    const isList = match(/^GET \/chat\/v1\/spaces\/(\w+)\/messages$/)
    if (isList)
      return token === accessTokens.messages ? list(query) : refused(403, 'PERMISSION_DENIED', 'Scope')
    if (token !== accessTokens.app) return refused(403, 'PERMISSION_DENIED', 'Scope')
    if (call === 'GET /chat/v1/spaces') return [200, {}]
    const posted = match(/^POST \/chat\/v1\/spaces\/(\w+)\/messages$/)?.[0]
    if (Buffer.byteLength(text) > mostBytes) return refused(400, 'INVALID_ARGUMENT', 'Message too long')
    if (posted !== undefined) return create(posted, query, JSON.parse(text))
    const [, space, name] =
      match(/^(GET|PATCH) \/chat\/v1\/spaces\/(\w+)\/messages\/(client-[a-z0-9-]+)$/) ?? []
    if (space === undefined) return refused(404, 'NOT_FOUND', call)
    const one = state.messages.find((each) => each.space === space && each.name === name)
    if (!one) return refused(404, 'NOT_FOUND', 'Message not found')
    if (call.startsWith('PATCH')) {
      if (query.get('updateMask') !== 'cards_v2') return refused(400, 'INVALID_ARGUMENT', 'updateMask')
      Object.assign(one, contentOf(z.strictObject({ cardsV2 }).parse(JSON.parse(text)).cardsV2))
      one.edits++
    }
    return [200, shown(one)]
  }

  async function grant(form: URLSearchParams): Promise<[number, object]> {
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return [400, { error: 'unsupported_grant_type' }]
    const read = await jwtVerify(form.get('assertion') ?? '', keys.account.publicKey, {
      issuer: email,
      audience: `${url}/login`,
      maxTokenAge: '1h',
    }).catch(() => undefined)
    const scope = z
      .enum(Object.keys(scopes) as (keyof typeof scopes)[])
      .safeParse(read?.payload['scope']).data
    if (!read || scope === undefined || (read.payload.exp ?? 0) - (read.payload.iat ?? 0) > 3600)
      return [400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }]
    return [200, { access_token: scopes[scope], expires_in: 3599, token_type: 'Bearer' }]
  }

  const server = createServer((request, response) => {
    void bodyOf(request).then(async (text) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://host')
      const call = `${request.method} ${pathname}`
      state.calls.push(call)
      const reply = (status: number, json: object): void => {
        response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
        response.end(JSON.stringify(json))
      }
      if (call === 'GET /keys/oauth2/v3/certs') return reply(200, sets.google)
      if (call === `GET /keys/service_accounts/v1/jwk/${googleAccount}`) return reply(200, sets.chat)
      if (call === 'POST /login') return reply(...(await grant(new URLSearchParams(text))))
      const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
      if (!Object.values(accessTokens).includes(token))
        return reply(...refused(401, 'UNAUTHENTICATED', 'No token'))
      if (state.limited && state.limited.times > 0 && call.startsWith(state.limited.path)) {
        state.limited.times--
        return reply(...refused(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded'))
      }
      let answer: [number, object]
      try {
        answer = answerTo(call, searchParams, text, token)
      } catch (error) {
        answer = refused(400, 'INVALID_ARGUMENT', String(error))
      }
      if (state.unanswered !== undefined && call.startsWith(state.unanswered)) return undefined
      return reply(...answer)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    accountKey,
    environment: {
      DOCWRIGHT_GOOGLE_CHAT_API: `${url}/chat`,
      DOCWRIGHT_GOOGLE_LOGIN: `${url}/login`,
      DOCWRIGHT_GOOGLE_KEYS: `${url}/keys`,
    },
    sign({
      audience = googleNumber,
      issuer = googleAccount,
      ends = 3600,
      key = 'chat',
      email: who,
    }: Claims = {}) {
      return new SignJWT(who === undefined ? {} : { email: who, email_verified: true })
        .setProtectedHeader({ alg: 'RS256', kid: key, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + ends)
        .sign(keys[key].privateKey)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  })
}
