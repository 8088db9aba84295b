import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import type { Remote } from '../../../integrations/git/remote.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import { grepTree, type GrepMatch } from '../../../integrations/git/trees/grep-tree.ts'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { keepNewest } from '../../../lib/keep-newest.ts'

/** A context repository, as far as readers may be told of its code. */
export interface CodeRepository {
  name: string
  /** Branch. */
  ref: string
  open(): Promise<{ repository: Repository; remote: Remote }>
  /** The lines of a file at its host; undefined where the host shows no files. */
  addressOf(place: { path: string; commit: string; line: number }): string | undefined
}

/** A place in the code. */
export interface CodeHit {
  /** `@repository/path:line` at the commit. */
  place: string
  commit: string
  /** At the host, at the commit; undefined where it shows no files. */
  url: string | undefined
  /** The matching line, and those below it in the same file that match too. */
  lines: { line: number; text: string }[]
}

/** Milliseconds for one search, in which a repository may have to be fetched. */
const deadline = 15_000
/** Milliseconds after which a repository is fetched again. */
const fetchEvery = 600_000
const mostRemembered = 1000
const mostWords = 4
const mostHits = 8
const mostLines = 3
const longestLine = 300
/** Folders and files that hold a copy of code, or try it. They come after the code itself. */
const beside = new Set(
  'test tests spec specs fixture fixtures example examples vendor node_modules dist build snapshots locales lock min changelog'.split(
    ' ',
  ),
)

/**
 * Lines of code that hold what is asked for, or most of its words: one hit a file, the best first.
 * A repository that cannot be read is left out.
 */
export async function searchCode(
  repositories: readonly CodeRepository[],
  query: string,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): Promise<CodeHit[]> {
  using searching = endingSignal({ signals: [signal], milliseconds: deadline })
  const patterns = patternsOf(query)
  const hits = await Promise.all(
    repositories.map(async (one) => {
      try {
        return await searchIn(one, patterns, searching.signal)
      } catch (error) {
        if (!signal.aborted) onError(error)
        return []
      }
    }),
  )
  return hits
    .flat()
    .sort((one, other) => other.score - one.score)
    .slice(0, mostHits)
    .map(({ score: _score, ...hit }) => hit)
}

/** When repositories were last fetched for a search. */
const fetchedAt = new Map<string, number>()

function isDue(folder: string): boolean {
  const now = performance.now()
  if (now - (fetchedAt.get(folder) ?? -Infinity) < fetchEvery) return false
  keepNewest(fetchedAt, mostRemembered, folder, now)
  return true
}

/** The text as it is asked for, and its words, of which identifiers tell most. */
export function patternsOf(query: string): string[] {
  const text = query
    .replaceAll(/[\r\n\0]+/g, ' ')
    .trim()
    .slice(0, 200)
  const words = [...new Set(text.split(/[^\p{L}\p{N}_$.:/-]/u).map(withoutPunctuation))]
  const telling = words.filter((word) => word.length > 2).sort((one, other) => other.length - one.length)
  return [...new Set([text, ...telling.slice(0, mostWords)])].filter((one) => one !== '')
}

function withoutPunctuation(word: string): string {
  return word.replace(/^[.:/-]{1,10}/, '').replace(/[.:/-]{1,10}$/, '')
}

async function searchIn(
  { name, ref, open, addressOf }: CodeRepository,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<(CodeHit & { score: number })[]> {
  const { repository, remote } = await open()
  const branch = `refs/heads/${ref}`
  const isKnown = (await resolveReference(repository, branch)) !== undefined
  if (isDue(repository.folder) || !isKnown) {
    const patience = isKnown ? deadline / 3 : deadline
    // What was fetched before is better than nothing.
    await fetchMirror(repository, remote, { signal, deadline: patience }).catch((error: unknown) => {
      if (!isKnown || signal.aborted) throw error
    })
  }
  const commit = await resolveReference(repository, branch)
  if (commit === undefined) return []
  const byFile = new Map<string, Map<number, { text: string; weight: number }>>()
  for (const [at, pattern] of patterns.entries()) {
    const options = { fixed: true, ignoreCase: true, limit: 500, limitPerFile: 20, signal }
    const { matches } = await grepTree(repository, commit, pattern, options)
    // The whole text counts more than its words together.
    const weight = at === 0 ? patterns.length : 1 / Math.log2(2 + matches.length / 10)
    for (const match of matches) add(byFile, match, weight)
  }
  return [...byFile].flatMap(([path, lines]) => {
    const all = [...lines].sort(([, one], [, other]) => other.weight - one.weight)
    const [best] = all
    if (best === undefined) return []
    const [line, { weight }] = best
    const lead = [best, ...all.slice(1, mostLines).sort(([one], [other]) => one - other)]
    return [
      {
        place: `@${name}/${path}:${line}`,
        commit,
        url: addressOf({ path, commit, line }),
        lines: lead.map(([number, { text }]) => ({
          line: number,
          text: text.trim().slice(0, longestLine).toWellFormed(),
        })),
        score:
          weight *
            (path
              .toLowerCase()
              .split(/[/._-]/)
              .some((part) => beside.has(part))
              ? 0.5
              : 1) +
          Math.min(lines.size, 10) / 100,
      },
    ]
  })
}

function add(
  byFile: Map<string, Map<number, { text: string; weight: number }>>,
  { path, line, text }: GrepMatch,
  weight: number,
): void {
  const lines = byFile.get(path) ?? new Map<number, { text: string; weight: number }>()
  byFile.set(path, lines)
  lines.set(line, { text, weight: (lines.get(line)?.weight ?? 0) + weight })
}
