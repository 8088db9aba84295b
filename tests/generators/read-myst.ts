import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Recording } from './compare-site.ts'

const page = z.object({ slug: z.string(), mdast: z.unknown() })
const children = z.object({ children: z.array(z.unknown()) })
const named = z.object({ html_id: z.string() })
const link = z.object({ type: z.literal('link'), url: z.string(), internal: z.boolean().optional() })
const reference = z.object({
  type: z.literal('crossReference'),
  identifier: z.string(),
  urlSource: z.string().optional(),
  resolved: z.boolean().optional(),
})
const heading = z.object({ type: z.literal('heading'), depth: z.number(), html_id: z.string().optional() })

/** The pages of a site of mystmd as its data has them, which it writes before it asks for a theme. */
export function readMyst(content: string): Recording['pages'] {
  return readdirSync(content)
    .sort()
    .map((file) => {
      const { slug, mdast } = page.parse(JSON.parse(readFileSync(join(content, file), 'utf8')))
      const nodes = nodesIn(mdast)
      const headings = nodes.flatMap((node): [number, string | null][] => {
        const read = heading.safeParse(node)
        return read.success ? [[read.data.depth, read.data.html_id ?? null]] : []
      })
      const own = new Set(headings.map(([, id]) => id))
      const ids = nodes.flatMap((node) => named.safeParse(node).data?.html_id ?? [])
      return {
        address: slug === 'index' ? '/' : `/${slug}`,
        headings,
        ids: [...new Set(ids)].filter((id) => !own.has(id)),
        dead: nodes.flatMap(deadIn),
      }
    })
}

function nodesIn(node: unknown): unknown[] {
  return [node, ...(children.safeParse(node).data?.children.flatMap(nodesIn) ?? [])]
}

/** A link that mystmd has found nothing for stays as it is written. */
function deadIn(node: unknown): string[] {
  const { data: plain } = link.safeParse(node)
  const isOpen = plain?.internal !== true && plain?.url !== ''
  if (plain !== undefined) return isOpen && !URL.canParse(plain.url) ? [plain.url] : []
  const { data: named } = reference.safeParse(node)
  return named === undefined || named.resolved === true ? [] : [named.urlSource ?? `#${named.identifier}`]
}
