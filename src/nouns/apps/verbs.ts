import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../verbs/verb.ts'

const path = '/admin/account/apps'
const tag = 'People'

const app = z
  .object({
    id: z.string(),
    name: z.string().describe('As the app calls itself.'),
    resource: z.string().describe('Path of the MCP server that it uses.'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().describe('When it last renewed its access.'),
  })
  .openapi('ConnectedApp', { description: 'An app that uses an MCP server with your rights.' })

const text = (longest: number) => z.string().max(longest, `must have at most ${longest} characters`)

export const listApps = defineVerb({
  name: 'listApps',
  address: `get ${path}`,
  tag,
  summary: 'List connected apps',
  description: 'Apps that you let use an MCP server with your rights, newest first.',
  input: z.object({}),
  output: z.array(app),
  answer: [200, 'The apps'],
  fields: {},
})

export const connectApp = defineVerb({
  name: 'connectApp',
  address: `post ${path}`,
  tag,
  summary: 'Connect an app',
  description:
    'Lets an app use one MCP server with your rights. The fields are those of an OAuth authorization request. `redirect` of the answer brings the code to the app.',
  input: z.object({
    client_id: text(1200).describe('From the registration.'),
    redirect_uri: text(500),
    code_challenge: z
      .string()
      .regex(/^[\w.~-]{43,128}$/, 'must be a challenge of PKCE')
      .openapi({ example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }),
    resource: text(1000).describe('URL of the MCP server.'),
    state: text(2000).optional(),
  }),
  output: z.object({ redirect: z.string().describe('URL of the app, with the code.') }),
  answer: [201, 'Where to go on'],
  fields: {
    client_id: { label: 'App' },
    redirect_uri: { label: 'Address of the app' },
    code_challenge: { label: 'Challenge' },
    resource: { label: 'MCP server' },
    state: { label: 'State' },
  },
})

export const disconnectApp = defineVerb({
  name: 'disconnectApp',
  address: `post ${path}/{app}/disconnect`,
  tag,
  summary: 'Disconnect an app',
  description: 'Its access ends at once.',
  input: z.object({}),
  output: app,
  answer: [200, 'The app'],
  fields: {},
})
