import { z } from '@hono/zod-openapi'
import { jobServerName } from '../../features/projects/projects.ts'
import type { Verb } from '../../features/projects/rights.ts'
import { version } from '../../lib/version.ts'
import { describe } from '../description/operation.ts'
import { publicProjects } from '../docs/llms-txt.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { searches } from '../rate.ts'
import { sharerOf } from '../sharer.ts'
import { docsTitle, jobsTitle, serverName } from './answer-mcp.ts'
import { openDocsTools, type DocsToolPorts } from './docs-tools.ts'

type Ports = Pick<DocsToolPorts, 'store' | 'access' | 'publicUrl'>

const cardType = 'application/mcp-server-card+json'

/** A server of the Model Context Protocol, as `$schema` describes it. */
const serverCard = z
  .object({
    $schema: z.url(),
    name: z.string(),
    version: z.string(),
    title: z.string(),
    description: z.string(),
    remotes: z.array(
      z.object({
        type: z.literal('streamable-http'),
        url: z.url(),
        supportedProtocolVersions: z.array(z.string()),
        headers: z.array(z.record(z.string(), z.unknown())).optional(),
      }),
    ),
  })
  .openapi('McpServerCard', { description: 'What an MCP server offers.' })

const catalog = z
  .object({
    specVersion: z.string(),
    entries: z.array(
      z.object({ identifier: z.string(), displayName: z.string(), type: z.literal(cardType), url: z.url() }),
    ),
  })
  .openapi('McpCatalog', { description: 'A list of MCP servers.' })

/** The form that hosted documentation uses at `/.well-known/mcp`. */
const serverList = z
  .object({
    version: z.string(),
    transport: z.literal('http'),
    url: z.url().describe('Of the first of the servers.'),
    servers: z.array(
      z.object({
        name: z.string(),
        url: z.url(),
        transport: z.literal('http'),
        authentication: z.enum(['none', 'bearer']),
      }),
    ),
  })
  .openapi('McpServers', { description: 'The MCP servers of this server.' })

/** A server of the Model Context Protocol here, before it is written down in one of these forms. */
interface Described {
  name: string
  title: string
  description: string
  path: string
  needsKey: boolean
}

/**
 * The documents by which clients find the servers of the Model Context Protocol here: a catalog and a list of those
 * that everybody may know of, and a card for each, after SEP-2127.
 */
export function serverCardEndpoints(ports: Ports): Endpoint[] {
  const { publicUrl } = ports
  const take = (context: RequestContext): void =>
    searches.take(context, { address: sharerOf(context).address })
  const send = (context: RequestContext, type: string, body: object, isPublic = true): Response =>
    context.body(JSON.stringify(body), 200, {
      'Content-Type': type,
      'Cache-Control': isPublic ? 'public, max-age=3600' : 'private, no-store',
    })
  const answer = (description: string, type: string, schema: z.ZodType) => ({
    200: { description, content: { [type]: { schema } } },
  })
  const tag = 'MCP servers'
  const listed = async (): Promise<[Described, ...Described[]]> => {
    const [first, ...others] = [
      ...(await publicProjects(ports)).map(({ domain }) => docsServer(domain, false)),
      jobServer,
    ]
    return [first ?? jobServer, ...others]
  }
  /** A document that everybody may read. */
  const open = (
    verb: Verb,
    path: `/${string}`,
    summary: string,
    [text, type, schema]: [text: string, type: string, schema: z.ZodType],
    write: () => object | Promise<object>,
    description?: string,
  ): Endpoint => ({
    route: describe(verb, `get ${path}`, {
      tag,
      summary,
      ...(description !== undefined && { description }),
      responses: answer(text, type, schema),
      errors: [429],
    }),
    async handle(context) {
      take(context)
      return send(context, type, await write())
    },
  })
  const card = (server: Described): z.input<typeof serverCard> => cardOf(publicUrl(), server)
  return [
    open(
      'getServerCatalog',
      '/.well-known/mcp/catalog.json',
      'List MCP servers',
      ['The catalog', 'application/json', catalog],
      async () => ({
        specVersion: 'draft',
        entries: (await listed()).map(({ name, title, path }) => ({
          identifier: `urn:air:${new URL(publicUrl()).hostname}:${name}`,
          displayName: title,
          type: cardType,
          url: `${publicUrl()}${path}/server-card`,
        })),
      }),
      'Lists the tools for jobs, and those of the projects whose pages are public.',
    ),
    open(
      'listToolServers',
      '/.well-known/mcp.json',
      'List the servers of the Model Context Protocol',
      ['The list', 'application/json', serverList],
      async () => {
        const servers = (await listed()).map(({ name, path, needsKey }) => ({
          name,
          url: `${publicUrl()}${path}`,
          transport: 'http',
          authentication: needsKey ? 'bearer' : 'none',
        }))
        return { version, transport: 'http', url: servers[0]?.url, servers }
      },
      'The same servers as in the catalog, in the form that hosted documentation uses. Also at `/.well-known/mcp`.',
    ),
    open(
      'listServerCards',
      '/.well-known/mcp/server-cards.json',
      'List the server cards',
      ['The cards', 'application/json', z.array(serverCard)],
      async () => (await listed()).map(card),
      'A card for each of the servers of the catalog, with its tools.',
    ),
    open(
      'getFirstServerCard',
      '/.well-known/mcp/server-card.json',
      'Describe the first of the servers',
      ['The card', cardType, serverCard],
      async () => card((await listed())[0]),
      'The tools of the first project whose pages are public, or those for jobs where there is none.',
    ),
    open(
      'getJobServerCard',
      '/mcp/server-card',
      'Describe the tools for jobs',
      ['The card', cardType, serverCard],
      () => card(jobServer),
      'For clients that look at a server before they connect.',
    ),
    {
      route: describe('getDocsServerCard', 'get /mcp/{domain}/server-card', {
        tag,
        summary: 'Get the MCP server card for a project’s docs',
        description: 'For clients that look at a server before they connect.',
        responses: answer('The card', cardType, serverCard),
        errors: [429],
      }),
      async handle(context) {
        const { domain, settings } = await openDocsTools(ports, context, 'getDocsServerCard')
        take(context)
        const isPublic = settings.visibility === 'public'
        return send(context, cardType, card(docsServer(domain, !isPublic)), isPublic)
      },
    },
  ]
}

const jobServer: Described = {
  name: jobServerName,
  title: jobsTitle,
  description: 'Gives work on documentation to an agent and follows its pull requests.',
  path: '/mcp',
  needsKey: true,
}

function docsServer(domain: string, needsKey: boolean): Described {
  const description = 'Searches and reads a project’s docs.'
  return { name: domain, title: docsTitle(domain), description, path: `/mcp/${domain}`, needsKey }
}

function cardOf(
  publicUrl: string,
  { name, title, description, path, needsKey }: Described,
): z.input<typeof serverCard> {
  const key = { name: 'Authorization', description: '"Bearer " and a key', isRequired: true, isSecret: true }
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: serverName(publicUrl, name),
    version,
    title,
    description,
    remotes: [
      {
        type: 'streamable-http',
        url: `${publicUrl}${path}`,
        supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
        ...(needsKey && { headers: [key] }),
      },
    ],
  }
}
