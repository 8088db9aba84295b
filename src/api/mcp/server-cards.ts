import { z } from '@hono/zod-openapi'
import { version } from '../../lib/version.ts'
import { publicProjects } from '../docs/llms-txt.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { describe } from '../operation.ts'
import { searches } from '../rate.ts'
import { sharerOf } from '../sharer.ts'
import { docsTitle, jobsName, jobsTitle, serverName } from './answer-mcp.ts'
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
  .openapi('McpServerCard')

const catalog = z
  .object({
    specVersion: z.string(),
    entries: z.array(
      z.object({ identifier: z.string(), displayName: z.string(), type: z.literal(cardType), url: z.url() }),
    ),
  })
  .openapi('McpCatalog')

/**
 * The documents by which clients find the servers of the Model Context Protocol here, after SEP-2127: a catalog of
 * those that everybody may know of, and a card for each.
 */
export function serverCardEndpoints(ports: Ports): Endpoint[] {
  const { publicUrl } = ports
  const take = (context: RequestContext): void =>
    searches.take(context, { address: sharerOf(context).address })
  const send = (context: RequestContext, type: string, body: object, isPublic: boolean): Response =>
    context.body(JSON.stringify(body), 200, {
      'Content-Type': type,
      'Cache-Control': isPublic ? 'public, max-age=3600' : 'private, no-store',
      // The documents are public, and no cookie opens more of them.
      ...(isPublic && { 'Access-Control-Allow-Origin': '*' }),
    })
  const answer = (description: string, type: string, schema: z.ZodType) => ({
    200: { description, content: { [type]: { schema } } },
  })
  const tag = 'Tools for agents'
  return [
    {
      route: describe('getServerCatalog', 'get /.well-known/mcp/catalog.json', {
        tag,
        summary: 'Find the servers of the Model Context Protocol',
        description: 'Lists the tools for jobs, and those of the projects whose pages are public.',
        responses: answer('The catalog', 'application/json', catalog),
        errors: [429],
      }),
      async handle(context) {
        take(context)
        const { hostname } = new URL(publicUrl())
        const entry = (name: string, displayName: string, path: string) => ({
          identifier: `urn:air:${hostname}:${name}`,
          displayName,
          type: cardType,
          url: `${publicUrl()}${path}/server-card`,
        })
        const projects = await publicProjects(ports)
        const body = {
          specVersion: 'draft',
          entries: [
            ...projects.map(({ domain }) => entry(domain, docsTitle(domain), `/mcp/${domain}`)),
            entry(jobsName, jobsTitle, '/mcp'),
          ],
        }
        return send(context, 'application/json', body, true)
      },
    },
    {
      route: describe('getJobServerCard', 'get /mcp/server-card', {
        tag,
        summary: 'Describe the tools for jobs',
        responses: answer('The card', cardType, serverCard),
        errors: [429],
      }),
      async handle(context) {
        take(context)
        const description = 'Gives work on documentation to an agent and follows its pull requests.'
        return send(
          context,
          cardType,
          cardOf(publicUrl(), jobsName, jobsTitle, description, '/mcp', true),
          true,
        )
      },
    },
    {
      route: describe('getDocsServerCard', 'get /mcp/{domain}/server-card', {
        tag,
        summary: 'Describe the tools of a documentation',
        responses: answer('The card', cardType, serverCard),
        errors: [429],
      }),
      async handle(context) {
        const { domain, settings } = await openDocsTools(ports, context, 'getDocsServerCard')
        take(context)
        const isPublic = settings.visibility === 'public'
        const description = 'Searches and reads a documentation.'
        const card = cardOf(publicUrl(), domain, docsTitle(domain), description, `/mcp/${domain}`, !isPublic)
        return send(context, cardType, card, isPublic)
      },
    },
  ]
}

function cardOf(
  publicUrl: string,
  name: string,
  title: string,
  description: string,
  path: string,
  needsKey: boolean,
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
