import { readText } from '../../site/text/encoding.ts'
import { openBlobReader } from '../../integrations/git/trees/blob-reader.ts'
import { listTree } from '../../integrations/git/trees/list-tree.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { withoutHidden } from '../../lib/text/plain-text.ts'

/** A prompt to start from. `{page}` in it stands for the page that it is about. */
export interface Template {
  name: string
  title: string
  description: string
  prompt: string
  /** The built-in model understands it. */
  isRequest?: true
}

/** Those that every project has. */
export const commonTemplates: readonly Template[] = [
  {
    name: 'fix-links',
    title: 'Fix broken links',
    description: 'Links, anchors and images that lead nowhere.',
    prompt: 'Fix broken links',
    isRequest: true,
  },
  {
    name: 'add-descriptions',
    title: 'Add missing descriptions',
    description: 'For search engines, lists and agents.',
    prompt: 'Add missing descriptions',
    isRequest: true,
  },
  {
    name: 'fix-typos',
    title: 'Fix the typos',
    description: 'Common misspellings in prose.',
    prompt: 'Fix the typos',
    isRequest: true,
  },
  {
    name: 'review-page',
    title: 'Review a page for clarity',
    description: 'Shorter sentences, the goal first, no step missing.',
    prompt:
      'Review {page} for clarity. Put what a reader wants to achieve first, shorten long sentences, explain terms at their first use, and check that no step is missing. Keep all facts, code and links as they are.',
  },
  {
    name: 'document-change',
    title: 'Document a change',
    description: 'A new feature, an option, or a changed behavior.',
    prompt:
      'Document this change: \n\nWhat is new or different:\nWho is affected, and what they have to do:\nSince version:\n\nUpdate every page that it makes wrong, and add what is missing.',
  },
  {
    name: 'add-example',
    title: 'Add an example',
    description: 'Code that a reader can copy and run.',
    prompt:
      'Add a complete example to {page} that a reader can copy and run. Use only what the documentation already describes, and say what the example prints.',
  },
  {
    name: 'troubleshooting',
    title: 'Write a troubleshooting section',
    description: 'Errors with their causes and what to do.',
    prompt:
      'Write a section "Troubleshooting" for {page}. It has each error that the documentation mentions, with its cause and what to do.',
  },
  {
    name: 'consistency',
    title: 'Make wording consistent',
    description: 'One word for one thing, in all pages.',
    prompt:
      'Look for things that the documentation calls by different words, choose the most common word for each, and use it everywhere. List what you chose in the summary.',
  },
]

const folder = '.docwright/templates/'
const most = { templates: 30, bytes: 10_000 }

/** The repository's own: each Markdown file in `.docwright/templates/`, whose first heading is its title. */
export async function readTemplates(repository: Repository, commit: string): Promise<Template[]> {
  const files = (await listTree(repository, commit))
    .filter(({ path, mode }) => path.startsWith(folder) && /\.mdx?$/.test(path) && mode.startsWith('100'))
    .slice(0, most.templates)
  if (files.length === 0) return []
  await using reader = await openBlobReader(repository, { maxBytes: most.bytes, deadline: 30_000 })
  const blobs = await reader.readSome(files.map(({ oid }) => oid))
  return blobs.flatMap((blob, index) => {
    const path = files[index]?.path ?? ''
    const template = blob.state === 'read' ? templateOf(path, readText(blob.content)) : undefined
    return template ? [template] : []
  })
}

function templateOf(path: string, content: string): Template | undefined {
  const lines = withoutHidden(content).trim().split(/\r?\n/)
  const title = /^#\s+(\S.*)$/.exec(lines[0] ?? '')?.[1]
  const prompt = lines
    .slice(title === undefined ? 0 : 1)
    .join('\n')
    .trim()
  const file = path.slice(folder.length)
  if (prompt === '') return undefined
  const [first = ''] = prompt.split('\n')
  return {
    name: `own/${file}`,
    title: (title ?? file.replace(/\.mdx?$/, '').replaceAll(/[-_]+/g, ' ')).slice(0, 100),
    description: first.length > 120 ? `${first.slice(0, 119)}…` : first,
    prompt,
  }
}

/** @param page undefined: it is left for the person to name */
export function promptOf({ prompt, isRequest }: Template, page: string | undefined): string {
  if (isRequest && page !== undefined) return `${prompt} in the page "${page}"`
  return prompt.replaceAll('{page}', page === undefined ? 'the page …' : `the page ${page}`)
}
