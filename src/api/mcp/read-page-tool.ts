import { z } from '@hono/zod-openapi'
import type { AssistantPorts } from '../../features/assistant/ports.ts'
import type { Project } from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import { readPart, type ReadablePart } from '../../site/pages/read-part.ts'
import { oneLine, type WriteParts, type WrittenPart } from '../docs/page-markdown.ts'
import type { AddTool } from './answer-mcp.ts'
import { pageNamed, type AgentPagePorts } from './page-resources.ts'
import { toolInput, toolOutput } from './tool-input.ts'
import { decoded } from '../../lib/text/decoded.ts'

export interface ReadPagePorts extends AgentPagePorts {
  assistant: AgentPagePorts['assistant'] & Pick<AssistantPorts<Project>, 'linkOf'>
  writeParts: WriteParts
}

const input = toolInput(
  z.object({
    url: z
      .string()
      .max(1000)
      .optional()
      .describe('URL of a page, or of one of its sections, as search and list_pages give them.'),
    path: z.string().max(1000).optional().describe('Instead of `url`: name of the page, or its file.'),
    from: z.int().min(0).default(0).describe('To read on: `next` of the part before.'),
    length: z.int().min(500).max(40_000).default(12_000).describe('About how many characters.'),
  }),
)

const output = toolOutput(
  z.object({
    url: z.string().describe('URL of the page, or of the section that was read, to cite as the source.'),
    path: z.string(),
    file: z.string(),
    title: z.string(),
    content: z.string().describe('Markdown. A heading has the section’s id behind it.'),
    next: z.int().nullable().describe('Set when there is more: send it as `from`.'),
    sections: z
      .array(z.object({ heading: z.string(), level: z.int(), url: z.string().nullable() }))
      .describe('Sections that are not in `content`, to read by their URL.'),
  }),
)

export function addReadPage(ports: ReadPagePorts, project: Project, add: AddTool): void {
  const { assistant, pagesOf, writeParts, countRead } = ports

  add('read_page', {
    title: 'Read a page',
    description:
      'A page of the documentation as Markdown, or one section of it by its URL. Long ones come in parts, with a list of the other sections.',
    input,
    output,
    annotations: { readOnlyHint: true, idempotentHint: true },
    async call({ url: address, path, from, length }) {
      const name = address ?? path
      if (name === undefined) throw new AppError('invalid', 'Send the `url` or the `path` of a page')
      const page = await pageNamed(ports, project, name)
      const { links } = await pagesOf(project)
      const written = (await writeParts(project, page, links)).map(readable)
      const anchor = page.path === name ? undefined : fragmentOf(name)
      const section = anchor === undefined ? undefined : readPart(written, { anchor, from, budget: length })
      const { text, next, others } = section ?? readPart(written, { from, budget: length }) ?? nothing
      if (from === 0) countRead('mcp')
      const linkTo = (id: string | undefined): string => assistant.linkOf(project, page.url, id)
      const url = linkTo(section && anchor)
      const sections = others.map(({ heading, level, anchor: id }) => ({
        heading,
        level,
        url: id === undefined ? null : linkTo(id),
      }))
      const home = linkTo(undefined)
      const list = others.map(
        ({ heading, level, anchor: id }) =>
          `${'  '.repeat(level - 1)}- ${oneLine(heading)}${id === undefined ? '' : ` #${id}`}`,
      )
      return {
        structuredContent: {
          url,
          path: assistant.slugOf(project, page.url),
          file: page.path,
          title: page.title,
          content: text,
          next: next ?? null,
          sections,
        },
        texts: [
          url,
          text,
          ...(next === undefined ? [] : [`There is more: read it with from ${next}.`]),
          ...(list.length === 0 ? [] : [`Other sections of ${home}:\n${list.join('\n')}`]),
        ],
      }
    },
  })
}

const nothing = { text: '', next: undefined, others: [] }

/** With the id of its heading behind it. */
function readable({ anchor, heading, markdown }: WrittenPart): ReadablePart {
  const { level = 0, text = '' } = heading ?? {}
  const [line = '', ...rest] = markdown.split('\n')
  const written = anchor === undefined ? markdown : [`${line} {#${anchor}}`, ...rest].join('\n')
  return { anchor, level, heading: text, text: written }
}

function fragmentOf(name: string): string | undefined {
  const at = name.indexOf('#')
  return at === -1 ? undefined : decoded(name.slice(at + 1))
}
