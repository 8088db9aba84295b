import { z } from '@hono/zod-openapi'
import type { Project } from '../../features/projects/projects.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { servePack, serveReferences, type ServedPack } from '../../integrations/git/serve-upload-pack.ts'
import { AppError } from '../../lib/errors.ts'
import type { Access } from '../access.ts'
import { describe } from '../description/operation.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { errorResponse, toAppError } from '../errors.ts'
import { exchangeSignal } from '../exchange.ts'
import { readBytes } from '../read-bytes.ts'

interface Ports {
  access: Access
  mirror(project: Project): Promise<Repository>
  /** The mirror after a fetch. */
  freshMirror(project: Project): Promise<Repository>
  /** Logs why git could not answer. */
  noteClone(error: AppError, requestId: string): void
}

const advertisement = 'application/x-git-upload-pack-advertisement'
const packs = 'application/x-git-upload-pack-result'
const bytes = z.string().openapi({ format: 'binary' })

/** Large enough for the references of a large repository. */
const bodyLimit = 16 * 1024 * 1024

/** Git's smart HTTP, read-only, for repositories that live on this server: an admin key is the password. */
export function serveRepositoryEndpoints({ access, mirror, freshMirror, noteClone }: Ports): Endpoint[] {
  const open = async (context: RequestContext, verb: 'listReferences' | 'fetchObjects'): Promise<Project> => {
    const { project } = await access.project(context, verb)
    if (project.kind !== 'path')
      throw new AppError(
        'not_found',
        `The repository of this project is at ${project.location}; clone it from there`,
      )
    return project
  }
  const noteFailure = (context: RequestContext) => (error: AppError) =>
    noteClone(error, context.get('requestId') ?? '')
  return [
    {
      route: describe('listReferences', 'get /git/{domain}/info/refs', {
        tag: 'Server',
        summary: 'Clone a repository: its references',
        description:
          'Git’s smart HTTP, for `git clone` of projects whose repository is a folder on the server, read-only. The key is the password of HTTP Basic.',
        query: z.object({ service: z.string().openapi({ example: 'git-upload-pack' }) }),
        responses: {
          200: {
            description: 'The references in git’s format',
            content: { [advertisement]: { schema: bytes } },
          },
        },
      }),
      handle: askingForPassword(async (context) => {
        const project = await open(context, 'listReferences')
        if (context.req.query('service') !== 'git-upload-pack')
          throw new AppError(
            'forbidden',
            'This repository is served for reading only; changes come as pull requests',
          )
        // The body of a HEAD response is never read, and git would wait for a reader.
        if (context.req.method === 'HEAD') return packResponse({ contentType: advertisement, body: null })
        const repository = await freshMirror(project)
        return packResponse(
          await serveReferences(repository, {
            protocol: context.req.header('git-protocol'),
            signal: exchangeSignal(context),
            onFailure: noteFailure(context),
          }),
        )
      }),
    },
    {
      route: describe('fetchObjects', 'post /git/{domain}/git-upload-pack', {
        tag: 'Server',
        summary: 'Clone a repository: its objects',
        description: 'The second request of `git clone` and `git fetch`.',
        responses: {
          200: { description: 'The objects in git’s format', content: { [packs]: { schema: bytes } } },
        },
        errors: [400, 413, 415],
      }),
      handle: askingForPassword(async (context) => {
        const project = await open(context, 'fetchObjects')
        // The body is read completely before git is started, so that a slow client does not keep a process running.
        const body = await readBytes(context, { limit: bodyLimit })
        if (body.byteLength === 0) throw new AppError('invalid', 'The request body is empty')
        return packResponse(
          await servePack(await mirror(project), {
            body,
            protocol: context.req.header('git-protocol'),
            signal: exchangeSignal(context),
            onFailure: noteFailure(context),
          }),
        )
      }),
    },
  ]
}

// Git sends a password only after the server has asked for one.
function askingForPassword(handle: Endpoint['handle']): Endpoint['handle'] {
  return async (context) => {
    try {
      return await handle(context)
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.code !== 'unauthorized') throw thrown
      const response = errorResponse(error)
      response.headers.set('WWW-Authenticate', 'Basic realm="Docwright"')
      return response
    }
  }
}

function packResponse({ contentType, body }: ServedPack | { contentType: string; body: null }): Response {
  return new Response(body, { headers: { 'Content-Type': contentType, 'Cache-Control': 'no-cache' } })
}
