import { z } from '@hono/zod-openapi'
import { describe, jsonContent } from '../../api/description/operation.ts'
import type { Endpoint, RequestContext } from '../../api/endpoint.ts'
import { readJson } from '../../api/read-body.ts'
import { readBytes } from '../../api/read-bytes.ts'
import { searches } from '../../api/rate.ts'
import { sharerOf } from '../../api/sharer.ts'
import { redeemCode, refreshTokens, revokeToken, type AppTokens } from '../../features/projects/app-grants.ts'
import { asProblem } from '../../lib/errors.ts'
import type { Store } from '../../store/database.ts'
import { clientIdOf, isAllowedRedirect } from './client.ts'
import { consentPath } from './page.ts'

interface Ports {
  store: Store
  publicUrl(): string
}

const tag = 'MCP servers'
const bodyLimit = 64 * 1024

const resourceMetadata = z
  .object({
    resource: z.url(),
    authorization_servers: z.array(z.url()),
    bearer_methods_supported: z.array(z.string()),
    resource_name: z.string(),
  })
  .openapi('ProtectedResource', { description: 'How an MCP server is protected, after RFC 9728.' })

const serverMetadata = z
  .object({
    issuer: z.url(),
    authorization_endpoint: z.url(),
    token_endpoint: z.url(),
    registration_endpoint: z.url(),
    revocation_endpoint: z.url(),
    response_types_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    revocation_endpoint_auth_methods_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    authorization_response_iss_parameter_supported: z.boolean(),
  })
  .openapi('AuthorizationServer', { description: 'How apps sign people in here, after RFC 8414.' })

const registration = z
  .looseObject({
    redirect_uris: z.array(z.string()),
    client_name: z.string().optional(),
  })
  .openapi('RegisterClient', { description: 'What an app says of itself, after RFC 7591.' })

const registered = z
  .object({
    client_id: z.string(),
    client_id_issued_at: z.int(),
    client_name: z.string().optional(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
  })
  .openapi('RegisteredClient', { description: 'An app that can ask people to connect it.' })

const tokens = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds.'),
    refresh_token: z.string(),
  })
  .openapi('AppTokens', { description: 'Tokens of a connected app.' })

const refusal = z
  .object({ error: z.string(), error_description: z.string() })
  .openapi('OAuthError', { description: 'Why a request of an app is refused, in the form of OAuth.' })

/** The endpoints by which apps find out how to sign people in, and get their tokens. */
export function oauthEndpoints(ports: Ports): Endpoint[] {
  const { publicUrl, store } = ports
  const resource = (verb: 'getProtectedJobTools' | 'getProtectedDocsTools', path: '/mcp' | '/mcp/{domain}') =>
    document({
      verb,
      path: `/.well-known/oauth-protected-resource${path}`,
      summary: `Find the authorization server of ${path}`,
      description: 'Where an MCP client finds out how to sign a person in, after RFC 9728.',
      schema: resourceMetadata,
      write: (context) => ({
        resource: `${publicUrl()}${path.replace('{domain}', context.req.param('domain') ?? '')}`,
        authorization_servers: [publicUrl()],
        bearer_methods_supported: ['header'],
        resource_name: context.req.param('domain') ?? 'Docwright jobs',
      }),
    })
  return [
    resource('getProtectedJobTools', '/mcp'),
    resource('getProtectedDocsTools', '/mcp/{domain}'),
    document({
      verb: 'getAuthorizationServer',
      path: '/.well-known/oauth-authorization-server',
      summary: 'Get the authorization server',
      description: 'How an app registers, asks a person and gets its tokens, after RFC 8414.',
      schema: serverMetadata,
      write: () => ({
        issuer: publicUrl(),
        authorization_endpoint: `${publicUrl()}${consentPath}`,
        token_endpoint: `${publicUrl()}/oauth/token`,
        registration_endpoint: `${publicUrl()}/register`,
        revocation_endpoint: `${publicUrl()}/oauth/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      }),
    }),
    {
      route: describe('registerClient', 'post /register', {
        tag,
        summary: 'Register an app',
        description:
          'Dynamic client registration (RFC 7591). The server stores nothing. The ID contains the app’s name and addresses. Every app is a public client and uses PKCE.',
        body: registration,
        responses: {
          201: { description: 'The app', content: jsonContent(registered) },
          400: { description: 'The app can’t be registered', content: jsonContent(refusal) },
        },
        errors: [429],
      }),
      handle: (context) =>
        inOAuth(context, async () => {
          const { data } = registration.safeParse(await readJson(context, bodyLimit))
          const { redirect_uris: redirectUris = [], client_name: name } = data ?? {}
          if (redirectUris.length === 0 || !redirectUris.every(isAllowedRedirect))
            return refuse(
              'invalid_redirect_uri',
              'redirect_uris must be addresses with https, of this machine, or of an app',
            )
          const id = clientIdOf({ name: name ?? '', redirectUris })
          if (id === undefined)
            return refuse('invalid_client_metadata', 'Name and redirect_uris are too long together')
          const body: z.input<typeof registered> = {
            client_id: id,
            client_id_issued_at: Math.floor(Date.now() / 1000),
            ...(name !== undefined && { client_name: name }),
            redirect_uris: redirectUris,
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: 'none',
          }
          return answer(body, 201)
        }),
    },
    {
      route: describe('exchangeToken', 'post /oauth/token', {
        tag,
        summary: 'Get tokens of an app',
        description:
          'Exchanges a code or a refresh token (RFC 6749 with PKCE), sent as `application/x-www-form-urlencoded`. Access tokens last one hour. Each refresh token works once, and ends after 90 days without use.',
        responses: {
          200: { description: 'The tokens', content: jsonContent(tokens) },
          400: { description: 'No tokens', content: jsonContent(refusal) },
        },
        errors: [429],
      }),
      handle: (context) =>
        inOAuth(context, async () => {
          const form = await readFields(context)
          const field = (name: string): string => form.get(name) ?? ''
          const kind = field('grant_type')
          if (kind !== 'authorization_code' && kind !== 'refresh_token')
            return refuse('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
          const clientId = field('client_id')
          const issued = await store.transaction((tx) =>
            kind === 'refresh_token'
              ? refreshTokens(tx, { token: field('refresh_token'), clientId })
              : redeemCode(tx, {
                  code: field('code'),
                  clientId,
                  redirectUri: field('redirect_uri'),
                  verifier: field('code_verifier'),
                }),
          )
          return issued
            ? answer(bodyOf(issued))
            : refuse('invalid_grant', 'The code or token is unknown, used, or expired. Connect the app again')
        }),
    },
    {
      route: describe('revokeToken', 'post /oauth/revoke', {
        tag,
        summary: 'Disconnect an app by its token',
        description:
          'Ends the access of the app that has the `token` (RFC 7009), sent as `application/x-www-form-urlencoded`.',
        responses: {
          200: { description: 'The token does not work' },
          400: { description: 'No token', content: jsonContent(refusal) },
        },
        errors: [429],
      }),
      handle: (context) =>
        inOAuth(context, async () => {
          const token = (await readFields(context)).get('token') ?? ''
          if (token === '') return refuse('invalid_request', 'token is missing')
          await store.transaction((tx) => revokeToken(tx, token))
          return new Response(null, { status: 200, headers: { 'Cache-Control': 'no-store' } })
        }),
    },
  ]
}

interface OpenDocument {
  verb: 'getProtectedJobTools' | 'getProtectedDocsTools' | 'getAuthorizationServer'
  path: `/${string}`
  summary: string
  description: string
  schema: z.ZodType
  write(context: RequestContext): object
}

function document({ verb, path, summary, description, schema, write }: OpenDocument): Endpoint {
  return {
    route: describe(verb, `get ${path}`, {
      tag,
      summary,
      description,
      responses: { 200: { description: 'The metadata', content: jsonContent(schema) } },
      errors: [429],
    }),
    handle(context) {
      searches.take(context, { address: sharerOf(context).address })
      return Promise.resolve(
        Response.json(write(context), { headers: { 'Cache-Control': 'public, max-age=3600' } }),
      )
    },
  }
}

/** Answers what clients read as OAuth: what is wrong with a request as well. */
async function inOAuth(context: RequestContext, work: () => Promise<Response>): Promise<Response> {
  searches.take(context, { address: sharerOf(context).address })
  try {
    return await work()
  } catch (thrown) {
    const problem = asProblem(thrown)
    if (problem.code !== 'invalid') throw problem
    return refuse('invalid_request', problem.message)
  }
}

// Apps in browsers send it from their own sites, without cookies, so that forms of others do no harm.
async function readFields(context: RequestContext): Promise<URLSearchParams> {
  return new URLSearchParams((await readBytes(context, { limit: bodyLimit })).toString('utf8'))
}

function bodyOf({ access, refresh, expiresIn }: AppTokens): z.input<typeof tokens> {
  return { access_token: access, token_type: 'Bearer', expires_in: expiresIn, refresh_token: refresh }
}

function answer(body: object, status = 200): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } })
}

function refuse(error: string, text: string): Response {
  const body: z.input<typeof refusal> = { error, error_description: text }
  return answer(body, 400)
}
