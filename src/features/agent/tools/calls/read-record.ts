import { isRecord } from '../../../../lib/is-record.ts'
import { type LineChange, readLineChanges, shiftedLine } from './line-changes.ts'

/** From the first line to the last, both counted. */
type Lines = readonly [first: number, last: number]

interface ReadState {
  /** Hashes by path; undefined where a tool has changed the file since. */
  hashes: ReadonlyMap<string, string | undefined>
  /** The lines that a tool has shown or that the model has written, as they are numbered now. */
  lines: ReadonlyMap<string, readonly Lines[]>
  /** What calls of the same answer have changed; `lost` where that is not known line by line. */
  answer: ReadonlyMap<string, 'lost' | readonly LineChange[][]>
  /** Commits by the name of a context repository. */
  commits: ReadonlyMap<string, string>
}

const mostRanges = 2000

/**
 * What the model has seen in this turn: files by their hashes, and lines by their numbers. Derived from the tool calls
 * and their outputs alone, so that another worker can rebuild it from the journal.
 */
export class ReadRecord {
  #hashes: Map<string, string | undefined>
  #lines: Map<string, readonly Lines[]>
  #answer: Map<string, 'lost' | readonly LineChange[][]>
  #commits: Map<string, string>

  constructor({ hashes, lines, answer, commits }: Partial<ReadState> = {}) {
    this.#hashes = new Map(hashes)
    this.#lines = new Map(lines)
    this.#answer = new Map(answer)
    this.#commits = new Map(commits)
  }

  /** The complete state, for another record that continues it. */
  all(): ReadState {
    return { hashes: this.#hashes, lines: this.#lines, answer: this.#answer, commits: this.#commits }
  }

  /** To be called before the calls of each answer: their line numbers are those that the model has seen before it. */
  beginAnswer(): void {
    this.#answer.clear()
  }

  /**
   * The hash that was read last; `stale` when a tool has changed the file since, undefined when it was never read.
   */
  state(path: string): { hash: string } | 'stale' | undefined {
    if (!this.#hashes.has(path)) return undefined
    const hash = this.#hashes.get(path)
    return hash === undefined ? 'stale' : { hash }
  }

  /** Where a line is now that the model has seen before its answer; undefined when a call of the answer has changed it. */
  lineNow(path: string, line: number): number | undefined {
    const changes = this.#answer.get(path) ?? []
    if (changes === 'lost') return undefined
    return changes.reduce<number | undefined>(
      (now, change) => (now === undefined ? undefined : shiftedLine(change, now)),
      line,
    )
  }

  /** Whether all of these lines, as they are numbered now, were shown or written. */
  hasSeen(path: string, first: number, last: number): boolean {
    let next = first
    for (const [from, to] of [...(this.#lines.get(path) ?? [])].sort(([one], [other]) => one - other))
      if (from <= next && to >= next) next = to + 1
    return next > last
  }

  /** The commit at which a context repository was read in this turn. */
  commitOf(name: string): string | undefined {
    return this.#commits.get(`@${name}`)
  }

  /** Records a finished call. To be called once for each call in order, whether live or replayed. */
  recordResult(name: string, output: unknown): void {
    if (!isRecord(output)) return
    this.#show(output['shown'])
    if (isRecord(output['error'])) return this.#show(output['error']['shown'])
    const { path, hash, repository, commit } = output
    if (typeof repository === 'string' && typeof commit === 'string') this.#commits.set(repository, commit)
    const edited = isRecord(output['edited']) ? output['edited'] : {}
    for (const [changed, changes] of Object.entries(edited)) this.#change(changed, readLineChanges(changes))
    if (typeof path === 'string' && typeof hash === 'string') {
      // These do not show the file's content, but what was read before stays valid.
      const shows = name !== 'set_front_matter' && name !== 'revert_file'
      if (shows || this.#hashes.get(path) !== undefined) this.#hashes.set(path, hash)
      if (name === 'revert_file') this.#lose(path)
    }
    if (name === 'move_page') {
      for (const moved of [output, ...(Array.isArray(output['moved']) ? output['moved'] : [])]) {
        if (!isRecord(moved)) continue
        this.#outdate(moved['from'])
        this.#outdate(moved['to'])
      }
    }
    if (isRecord(output['hashes'])) {
      for (const [changed, now] of Object.entries(output['hashes'])) {
        const isRead = this.#hashes.get(changed) !== undefined || changed in edited
        if (typeof now === 'string' && isRead) this.#hashes.set(changed, now)
        if (!(changed in edited)) this.#lose(changed)
      }
    }
    if (name === 'delete_page') this.#outdate(path)
    if (Array.isArray(output['changed'])) for (const changed of output['changed']) this.#outdate(changed)
  }

  /** `[{path, first, last}]`, as a tool says which lines its output shows. */
  #show(shown: unknown): void {
    if (!Array.isArray(shown)) return
    for (const lines of shown) {
      if (!isRecord(lines)) continue
      const { path, first, last } = lines
      if (typeof path === 'string' && typeof first === 'number' && typeof last === 'number')
        this.#add(path, [first, last])
    }
  }

  #add(path: string, lines: Lines): void {
    const known = this.#lines.get(path) ?? []
    this.#lines.set(path, joined([...known, lines]).slice(-mostRanges))
  }

  #change(path: string, changes: LineChange[] | undefined): void {
    if (changes === undefined) return this.#lose(path)
    const before = this.#answer.get(path) ?? []
    if (before !== 'lost') this.#answer.set(path, [...before, changes])
    const kept = (this.#lines.get(path) ?? []).flatMap((lines) => partsAfter(lines, changes))
    let by = 0
    const written = changes.flatMap(({ line, removed, added }): Lines[] => {
      const first = line + by
      by += added - removed
      return added === 0 ? [] : [[first, first + added - 1]]
    })
    this.#lines.set(path, joined([...kept, ...written]).slice(-mostRanges))
  }

  #lose(path: string): void {
    this.#lines.delete(path)
    this.#answer.set(path, 'lost')
  }

  #outdate(path: unknown): void {
    if (typeof path !== 'string') return
    if (this.#hashes.has(path)) this.#hashes.set(path, undefined)
    this.#lose(path)
  }
}

/** What is left of some lines, as they are numbered after a change. */
function partsAfter([first, last]: Lines, changes: readonly LineChange[]): Lines[] {
  const parts: Lines[] = []
  let from = first
  let by = 0
  for (const { line, removed, added } of changes) {
    if (line > last) break
    if (line + removed > from) {
      if (line > from) parts.push([from + by, line - 1 + by])
      from = Math.max(from, line + removed)
    }
    by += added - removed
  }
  if (from <= last) parts.push([from + by, last + by])
  return parts
}

function joined(ranges: readonly Lines[]): Lines[] {
  const result: Lines[] = []
  for (const [first, last] of [...ranges].sort(([one], [other]) => one - other)) {
    const before = result.at(-1)
    if (before !== undefined && first <= before[1] + 1)
      result[result.length - 1] = [before[0], Math.max(before[1], last)]
    else result.push([first, last])
  }
  return result
}
