import { readStoredPages, type StoredPage } from '../../features/docs/pages.ts'
import type { Project } from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import type { AssistantPorts } from '../../features/assistant/ports.ts'
import type { Store } from '../../store/database.ts'
import type { PageLists } from '../docs/navigation/page-list.ts'
import { oneLine, type WriteMarkdown } from '../docs/page-markdown.ts'
import type { CountRead } from '../metrics.ts'
import type { ServedResources } from './serve-resources.ts'
import { decoded } from '../../lib/text/decoded.ts'

/** What reads the pages of a project for agents. */
export interface AgentPagePorts {
  store: Store
  assistant: Pick<AssistantPorts<Project>, 'findPage' | 'slugOf'>
  pagesOf: PageLists
  writeMarkdown: WriteMarkdown
  countRead: CountRead
}

const atOnce = 200

/** The page that a name, an address or a file means. @throws AppError `not_found` */
export async function pageNamed(
  { assistant, store }: Pick<AgentPagePorts, 'assistant' | 'store'>,
  project: Project,
  path: string,
): Promise<StoredPage> {
  const entry = await assistant.findPage(project, path)
  const [page] = entry ? await readStoredPages(store.db, project.id, [entry.path]) : []
  if (page) return page
  throw new AppError('not_found', `There is no page ${JSON.stringify(path)}; look for it with search`)
}

/**
 * The pages of a project as resources, which people attach to a conversation in their client. Their scheme is our own:
 * clients may not fetch the address of a page by themselves where a key is needed.
 */
export function pageResources(ports: AgentPagePorts, project: Project): ServedResources {
  const { assistant, pagesOf, writeMarkdown, countRead } = ports
  const root = `docs://${project.domain}/`
  const mimeType = 'text/markdown'
  const described = ({ url, title, description }: Pick<StoredPage, 'url' | 'title' | 'description'>) => {
    const name = assistant.slugOf(project, url)
    return {
      uri: `${root}${name.split('/').map(encodeURIComponent).join('/')}`,
      name,
      title: oneLine(title),
      ...(description !== undefined && { description: oneLine(description).slice(0, 500) }),
      mimeType,
    }
  }
  return {
    template: {
      name: 'page',
      title: 'A page of the documentation',
      uriTemplate: `${root}{+path}`,
      mimeType,
    },
    async list(start) {
      const { inOrder } = await pagesOf(project)
      const end = start + atOnce
      return {
        resources: inOrder.slice(start, end).map(described),
        next: end < inOrder.length ? end : undefined,
      }
    },
    async read(uri) {
      const page = await pageNamed(ports, project, pathIn(uri, root))
      const { links } = await pagesOf(project)
      countRead('mcp')
      return { ...described(page), text: await writeMarkdown(project, page, links) }
    },
  }
}

/** The name of a page in its address as a resource, or an address as browsers know it. */
function pathIn(uri: string, root: string): string {
  return uri.startsWith(root) ? decoded(uri.slice(root.length)) : uri
}
