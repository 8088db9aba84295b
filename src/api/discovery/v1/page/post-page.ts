import { z } from '@hono/zod-openapi'
import type { AssistantPorts, AssistantProject } from '../../../../features/assistant/ports.ts'
import { AppError } from '../../../../lib/errors.ts'
import { hasUnstorable } from '../../../../lib/text/plain-text.ts'
import { ownAddress } from '../../../../site/openapi/operation-pages.ts'
import type { AssistantGate } from '../../ask-assistant.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { describe, jsonContent } from '../../../operation.ts'
import { searches } from '../../../rate.ts'
import { assistantBodyLimit, readBody } from '../../../read-body.ts'

interface Ports<Project extends AssistantProject> extends Pick<AssistantGate<Project>, 'access'> {
  assistant: Pick<AssistantPorts<Project>, 'findPage' | 'linkOf'>
}

const pathRule = 'must be the path of a page, of 1 to 1,000 characters'
const pageBody = z
  .object(
    {
      path: z.string({ error: pathRule }).min(1, pathRule).max(1000, pathRule).openapi({
        description: 'Path on the site or in the repository, with or without slashes, `.md` or a fragment.',
        example: '/quickstart',
      }),
    },
    { error: 'send a JSON object with a `path`' },
  )
  .openapi('PageRequest')

const pageResult = z.object({ path: z.string(), content: z.string().describe('Markdown') }).openapi('Page')

export function postPageEndpoint<Project extends AssistantProject>({
  access,
  assistant,
}: Ports<Project>): Endpoint {
  return {
    route: describe('readPage', 'post /discovery/v1/page/{domain}', {
      tag: 'Assistant',
      summary: 'Read a page',
      body: pageBody,
      responses: { 200: { description: 'The page', content: jsonContent(pageResult) } },
      errors: [429],
    }),
    async handle(context) {
      const { project } = await access.project(context, 'readPage')
      searches.take(context)
      const { path } = await readBody(context, pageBody, assistantBodyLimit)
      const bases = ['/', ownAddress].map((url) =>
        assistant.linkOf(project, url, undefined).slice(0, -url.length),
      )
      const page = await findNamed((name) => assistant.findPage(project.id, name), bases, path)
      if (!page)
        throw new AppError(
          'not_found',
          `There is no page ${JSON.stringify(path)}; look for it with the search`,
        )
      return context.json({ path: page.path, content: page.content })
    },
  }
}

/**
 * The page that a client names by its path or by its address.
 * @param sites the addresses below which the pages are
 */
export async function findNamed<Page>(
  find: (name: string) => Promise<Page | undefined>,
  sites: readonly string[],
  path: string,
): Promise<Page | undefined> {
  const site = sites.map((one) => one.replace(/\/$/, '')).find((one) => path.startsWith(`${one}/`))
  const name = path.slice(site?.length ?? 0)
  // Pages are read from the database, not from files, so a path with `..` in any spelling finds nothing.
  const safe = async (spelled: string): Promise<Page | undefined> => {
    const isOdd = spelled.split(/[/\\]/).some((segment) => segment === '.' || segment === '..')
    return isOdd || hasUnstorable(spelled) ? undefined : find(spelled)
  }
  return (await safe(name)) ?? (await safe(decode(name)))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
