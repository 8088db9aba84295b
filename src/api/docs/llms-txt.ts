import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from '@hono/zod-openapi'
import { readStoredPages } from '../../features/docs/pages.ts'
import { listProjects, type Project } from '../../features/projects/projects.ts'
import { visibilityOf } from '../../features/projects/visibility.ts'
import { AppError } from '../../lib/errors.ts'
import { sha256 } from '../../lib/ids.ts'
import { preferredEncoding } from '../accept.ts'
import { describe } from '../description/operation.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { hasVersion } from '../entity-tag.ts'
import { toAppError } from '../errors.ts'
import type { CountRead } from '../metrics.ts'
import { createPool } from '../pool.ts'
import { searches } from '../rate.ts'
import { docsPath, markdownPath } from '../render/docs-path.ts'
import { sharerOf } from '../sharer.ts'
import { createMadeTexts } from './made-texts.ts'
import type { PageEntry } from './navigation/navigation-groups.ts'
import { versionOf, type PageList, type PageLists } from './navigation/page-list.ts'
import { hiddenRefusal, markdownHeaders, openDocs, readerOf, type OpenDocsPorts } from './open-docs.ts'
import { oneLine, type WriteMarkdown } from './page-markdown.ts'

interface Ports extends OpenDocsPorts {
  pagesOf: PageLists
  writeMarkdown: WriteMarkdown
  countRead: CountRead
}

/** Characters of each file. */
const longestList = 2_000_000
const longestText = 50_000_000

/** The lists of pages for programs, in the form of llmstxt.org. */
export function llmsTxtEndpoints(ports: Ports): Endpoint[] {
  const texts = createMadeTexts()
  const docs = (
    verb: 'readLlmsTxt' | 'readLlmsFullTxt',
    file: string,
    summary: string,
    write: (project: Project, list: PageList, folder: string) => AsyncGenerator<string, void>,
  ): Endpoint => ({
    route: describe(verb, `get /docs/{domain}/${file}`, {
      tag: 'Documentation',
      summary,
      description:
        'Needs no key where the project’s pages are public. Each page is also Markdown at its own address with `.md` behind it, and with `Accept: text/markdown`.',
      ...(verb === 'readLlmsTxt' && { query: folderQuery }),
      responses: {
        200: markdownAnswer,
        304: { description: 'Not changed since the entity tag that was sent' },
      },
      errors: [429],
    }),
    async handle(context) {
      const project = await openDocs(ports, context, verb).catch((thrown: unknown) => {
        const error = toAppError(thrown)
        if (error.code === 'not_found' || error.code === 'forbidden') return hiddenRefusal(error)
        throw thrown
      })
      if (project instanceof Response) return project
      searches.take(context, readerOf(context, project))
      const isPublic = visibilityOf(project.settings) === 'public'
      const version = `${versionOf(project)} ${ports.publicUrl()}`
      const wantedFolder = verb === 'readLlmsTxt' ? (context.req.query('folder') ?? '') : ''
      const tag = `"${sha256(`${file} ${wantedFolder} ${version}`).slice(0, 32)}"`
      // A weak one: the same text may be compressed or not.
      context.header('ETag', `W/${tag}`)
      context.header('Vary', 'Accept-Encoding')
      context.header('Cache-Control', isPublic ? 'no-cache' : 'private, no-store')
      context.header('X-Robots-Tag', 'noindex')
      if (hasVersion(context, tag)) return context.body(null, 304)
      if (context.req.method === 'HEAD') return context.body(null, 200, markdownHeaders)
      const list = await ports.pagesOf(project)
      const folder = verb === 'readLlmsTxt' ? folderIn(context, list) : ''
      if (verb === 'readLlmsFullTxt') ports.countRead('markdown', list.inOrder.length)
      const encoding = preferredEncoding(context, ['gzip'])
      if (encoding === 'gzip') context.header('Content-Encoding', 'gzip')
      const place = wholeTexts.hold(sharerOf(context))
      if (verb === 'readLlmsFullTxt') place.take(1)
      const named = `${file}${folder}`
      const text = texts.read({ projectId: project.id, file: named, version }, encoding, () =>
        write(project, list, folder),
      )
      // Counts as open until it is read or the client disconnects.
      text.once('close', place.release)
      return context.body(Readable.toWeb(text), 200, markdownHeaders)
    },
  })
  return [
    docs('readLlmsTxt', 'llms.txt', 'List the pages of a project’s docs', (project, list, folder) =>
      listOf(ports.publicUrl(), project, list, folder),
    ),
    docs('readLlmsFullTxt', 'llms-full.txt', 'Read all docs of a project', (project, list) =>
      wholeText(ports, project, list),
    ),
    {
      route: describe('listPublicDocs', 'get /llms.txt', {
        tag: 'Documentation',
        summary: 'List the public docs',
        description: 'A list in the form of llms.txt, of the projects whose pages anyone may read.',
        responses: { 200: markdownAnswer },
        errors: [429],
      }),
      async handle(context) {
        searches.take(context, { address: sharerOf(context).address })
        const projects = await publicProjects(ports)
        const lines = projects.map(
          ({ domain }) => `- [${domain}](${ports.publicUrl()}/docs/${domain}/llms.txt)\n`,
        )
        const text = `# Documentation\n\n> Documentation on this server that anyone may read.\n\n## Sites\n\n${lines.join('')}`
        return context.body(text, 200, { ...markdownHeaders, 'Cache-Control': 'no-cache' })
      },
    },
  ]
}

const folderQuery = z.object({
  folder: z.string().max(1000).optional().openapi({
    description:
      'Lists the pages below this path. The list of a site with more than 300 pages names such folders.',
  }),
})

/** The folder whose pages are asked for; `''` for all. @throws AppError `not_found` where no page is below it */
function folderIn(context: RequestContext, { inOrder }: PageList): string {
  const written = context.req.query('folder') ?? ''
  const names = written.split('/').filter((name) => name !== '')
  const folder = names.map((name) => `/${name}`).join('')
  if (folder === '' || inOrder.some(({ url }) => isBelow(url, folder))) return folder
  throw new AppError('not_found', `There is no page below ${JSON.stringify(folder.slice(0, 200))}`)
}

/** The projects whose pages anybody may read. */
export async function publicProjects({ store }: Pick<Ports, 'store'>): Promise<Project[]> {
  return (await listProjects(store.db)).filter(({ settings }) => visibilityOf(settings) === 'public')
}

const markdownAnswer = { description: 'Markdown', content: { 'text/markdown': { schema: z.string() } } }

/** From so many pages on, a list names folders with lists of their own: a model would pay for all of it. */
const mostInOne = 300
/** Folders with fewer pages stand in the list of the folder around them. */
const leastOfFolder = 20

/** @param folder the path on the site below which pages are listed, without a slash at its end */
async function* listOf(
  publicUrl: string,
  { domain }: Project,
  { pages, inOrder }: PageList,
  folder: string,
): AsyncGenerator<string, void> {
  const home = `${publicUrl}/docs/${domain}`
  const inFolder = folder === '' ? inOrder : inOrder.filter(({ url }) => isBelow(url, folder))
  const start = pages.find(({ url }) => url === (folder || '/')) ?? (folder === '' ? inOrder[0] : undefined)
  const { listed, folders } = split(inFolder, folder)
  const summary = start?.description
  let text = `# ${domain}${folder}\n\n${summary === undefined ? '' : `> ${oneLine(summary)}\n\n`}`
  text += `All pages in one file: ${home}/llms-full.txt. Tools to search and read them (Model Context Protocol, streamable HTTP): ${publicUrl}/mcp/${domain}\n`
  let [count, length] = [0, 0]
  for (const [heading, group] of Map.groupBy(listed, headingsFor(inOrder))) {
    text += `\n## ${heading}\n\n`
    for (const page of group) {
      if (length + text.length > longestList)
        return yield `${text}\n${listed.length - count} more pages are not listed here; search for them.\n`
      const description = page.description === undefined ? '' : `: ${oneLine(page.description)}`
      text += `- [${linkText(page.title)}](${publicUrl}${markdownPath(domain, page.url)})${description}\n`
      count++
      if (count % listedAtOnce !== 0) continue
      yield text
      length += text.length
      text = ''
      await nextTurn()
    }
  }
  if (folders.length > 0) text += '\n## Folders\n\n'
  for (const [path, size] of folders)
    text += `- [${linkText(path)}](${home}/llms.txt?folder=${encodeURIComponent(path)}): ${size} pages\n`
  yield text
}

/** The pages to list, and the folders whose pages have a list of their own, with their numbers of pages. */
function split(
  pages: readonly PageEntry[],
  folder: string,
): { listed: readonly PageEntry[]; folders: [path: string, pages: number][] } {
  if (pages.length <= mostInOne) return { listed: pages, folders: [] }
  const folderOf = ({ url }: PageEntry): string => {
    const [name = ''] = url.slice(folder.length + 1).split('/')
    return url === folder ? '' : `${folder}/${name}`
  }
  const byFolder = Map.groupBy(pages, folderOf)
  const isLarge = (path: string): boolean => (byFolder.get(path)?.length ?? 0) >= leastOfFolder
  return {
    listed: pages.filter((page) => !isLarge(folderOf(page))),
    folders: [...byFolder].filter(([path]) => isLarge(path)).map(([path, { length }]) => [path, length]),
  }
}

function isBelow(url: string, folder: string): boolean {
  return url === folder || url.startsWith(`${folder}/`)
}

/** The heading of a page: its group in the navigation, with what not all pages have in common. */
function headingsFor(all: readonly PageEntry[]): (page: PageEntry) => string {
  const several = (of: (page: PageEntry) => string | undefined): boolean => new Set(all.map(of)).size > 1
  const [hasVersions, hasLanguages] = [several(({ version }) => version), several(({ language }) => language)]
  return ({ groups, version, language }) =>
    oneLine(
      [groups.at(-1) ?? 'Pages', hasVersions ? version : undefined, hasLanguages ? language : undefined]
        .filter((part) => part !== undefined)
        .join(' · '),
    )
}

function linkText(title: string): string {
  return oneLine(title).replaceAll(/[[\]\\]/g, String.raw`\$&`)
}

/** Pages that are read from the database at once, and those of a list between two turns of other work. */
const window = 20
const listedAtOnce = 200

async function* wholeText(
  { store, publicUrl, writeMarkdown }: Ports,
  project: Project,
  { inOrder, links }: PageList,
): AsyncGenerator<string, void> {
  let length = 0
  for (let start = 0; start < inOrder.length; start += window) {
    const paths = inOrder.slice(start, start + window).map(({ path }) => path)
    for (const page of await readStoredPages(store.db, project.id, paths)) {
      const address = `${publicUrl()}${docsPath(project.domain, page.url)}`
      const text = `<!-- ${address} -->\n\n${await writeMarkdown(project, page, links)}\n`
      length += text.length
      if (length > longestText)
        return yield 'The pages behind this one are left out, because this file is too long.\n'
      yield text
      await nextTurn()
    }
  }
}

const wholeTexts = createPool({
  name: 'whole-texts',
  total: 40,
  unit: 'concurrent-requests',
  what: 'whole docs are being read',
  advice: 'read single pages, or try again soon',
})
