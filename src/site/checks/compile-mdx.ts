import { compile } from '@mdx-js/mdx'
import remarkGfm from 'remark-gfm'
import { z } from 'zod'
import type { MdxError } from './explain-mdx.ts'
import { withoutMath } from './mdx-source.ts'

const complaint = z.object({
  reason: z.string(),
  line: z.number().optional().catch(undefined),
  column: z.number().optional().catch(undefined),
  place: z
    .object({ line: z.number(), column: z.number() })
    .or(
      z.object({ start: z.object({ line: z.number(), column: z.number() }) }).transform(({ start }) => start),
    )
    .optional()
    .catch(undefined),
})

/** Compiles a page and runs nothing of it; undefined when it compiles, with or without its formulas. */
export async function compileMdx(source: string): Promise<MdxError | undefined> {
  const error = await attempt(source)
  if (error === undefined || !source.includes('$')) return error
  const other = await attempt(withoutMath(source))
  return other === undefined || other.line > error.line ? other : error
}

async function attempt(source: string): Promise<MdxError | undefined> {
  try {
    await compile(source, { format: 'mdx', jsx: true, remarkPlugins: [remarkGfm] })
    return undefined
  } catch (error) {
    const parsed = complaint.safeParse(error)
    if (!parsed.success) return { line: 1, column: 1, reason: 'it is nested too deep' }
    const { reason, line, column, place } = parsed.data
    // Of a tag that is open at the end of the page only the reason says where it is.
    const [, openLine = 1, openColumn = 1] = /\((\d+):(\d+)-/.exec(reason) ?? []
    return {
      reason,
      line: line ?? place?.line ?? Number(openLine),
      column: column ?? place?.column ?? Number(openColumn),
    }
  }
}
