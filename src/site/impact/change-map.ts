import { z } from 'zod'
import { isHostileYaml } from '../../lib/text/hostile-yaml.ts'
import { issueSentence } from '../../lib/text/issue-sentence.ts'
import { parseYaml } from '../../lib/text/yaml.ts'
import { ToolError } from '../../lib/tool-error.ts'
import { anyGlob } from '../text/glob.ts'

const longestFile = 50_000
const glob = z.string().min(1).max(500)
const globs = z.array(glob).max(200)
const pairs = z.array(z.strictObject({ code: glob, pages: globs })).max(200)
const file = z.strictObject({
  documents: pairs.optional(),
  never: pairs.optional(),
  leaveOut: globs.optional(),
  keep: globs.optional(),
})

/** What people say of code and pages. Paths of pages are those in the repository of the documentation. */
export interface ChangeMap {
  /** What it says of a change of these files. */
  forChange(code: readonly string[]): {
    /** Whether a page documents one of them. */
    documents(page: string): boolean
    /** Whether none of them says anything of a page. */
    never(page: string): boolean
  }
  leavesOut(page: string): boolean
  /** Pages that would be left out by their paths. */
  keeps(page: string): boolean
  /** What is wrong with the file, of which nothing is used then. */
  problem: string | undefined
}

/** Reads `.docwright/map.yml`; undefined where there is none. Never throws on any text. */
export function readChangeMap(text: string | undefined): ChangeMap {
  if (text === undefined) return without(undefined)
  if (text.length > longestFile || isHostileYaml(text)) return without('it is too long or too deep')
  try {
    const parsed = file.safeParse(parseYaml(text, { unique: true }) ?? {})
    if (!parsed.success)
      return without(issueSentence(parsed.error, (path) => (path === '' ? 'the file' : `\`${path}\``)))
    const { documents = [], never = [], leaveOut = [], keep = [] } = parsed.data
    const [documenting, nothing] = [matching(documents), matching(never)]
    return {
      forChange(code) {
        const documents = documenting.filter((one) => code.some(one.code))
        const never = nothing.filter((one) => code.length > 0 && code.every(one.code))
        return {
          documents: (page) => documents.some(({ pages }) => pages(page)),
          never: (page) => never.some(({ pages }) => pages(page)),
        }
      },
      leavesOut: bounded(leaveOut),
      keeps: bounded(keep),
      problem: undefined,
    }
  } catch (error) {
    return without(error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'it cannot be read')
  }
}

function matching(some: z.output<typeof pairs>) {
  return some.map(({ code, pages }) => ({ code: bounded([code]), pages: bounded(pages) }))
}

/** Nothing matches any more once it has taken too long. */
function bounded(some: readonly string[]): (path: string) => boolean {
  const matches = anyGlob(some)
  return (path) => {
    try {
      return matches(path)
    } catch (error) {
      if (error instanceof ToolError) return false
      throw error
    }
  }
}

function without(problem: string | undefined): ChangeMap {
  const no = (): boolean => false
  return {
    forChange: () => ({ documents: no, never: no }),
    leavesOut: no,
    keeps: no,
    problem: problem?.slice(0, 300),
  }
}
