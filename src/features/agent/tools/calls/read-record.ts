import { isRecord } from '../../../../lib/is-record.ts'

interface ReadState {
  /** Hashes by path; undefined where a tool has changed the file since. */
  hashes: ReadonlyMap<string, string | undefined>
  /** Commits by the name of a context repository. */
  commits: ReadonlyMap<string, string>
}

/**
 * Which files the model has read in this turn, by their hashes. Derived from the tool calls and their outputs
 * alone, so that another worker can rebuild it from the journal.
 */
export class ReadRecord {
  #hashes: Map<string, string | undefined>
  #commits: Map<string, string>

  constructor({ hashes, commits }: Partial<ReadState> = {}) {
    this.#hashes = new Map(hashes)
    this.#commits = new Map(commits)
  }

  /** The complete state, for another record that continues it. */
  all(): ReadState {
    return { hashes: this.#hashes, commits: this.#commits }
  }

  /**
   * The hash that was read last; `stale` when a tool has changed the file since, undefined when it was never read.
   */
  state(path: string): { hash: string } | 'stale' | undefined {
    if (!this.#hashes.has(path)) return undefined
    const hash = this.#hashes.get(path)
    return hash === undefined ? 'stale' : { hash }
  }

  /** The commit at which a context repository was read in this turn. */
  commitOf(name: string): string | undefined {
    return this.#commits.get(`@${name}`)
  }

  /** Records a finished call. To be called once for each call in order, whether live or replayed. */
  recordResult(name: string, output: unknown): void {
    if (!isRecord(output) || 'error' in output) return
    const { path, hash, repository, commit } = output
    if (typeof repository === 'string' && typeof commit === 'string') this.#commits.set(repository, commit)
    if (typeof path === 'string' && typeof hash === 'string') {
      // These do not show the file's content, but what was read before stays valid.
      const shows = name !== 'set_front_matter' && name !== 'revert_file'
      if (shows || this.#hashes.get(path) !== undefined) this.#hashes.set(path, hash)
    }
    if (name === 'move_page') {
      for (const moved of [output, ...(Array.isArray(output['moved']) ? output['moved'] : [])]) {
        if (!isRecord(moved)) continue
        this.#outdate(moved['from'])
        this.#outdate(moved['to'])
      }
    }
    if (isRecord(output['hashes'])) {
      for (const [changed, now] of Object.entries(output['hashes']))
        if (typeof now === 'string' && this.#hashes.get(changed) !== undefined) this.#hashes.set(changed, now)
    }
    if (name === 'delete_page') this.#outdate(path)
    if (Array.isArray(output['changed'])) for (const changed of output['changed']) this.#outdate(changed)
  }

  #outdate(path: unknown): void {
    if (typeof path === 'string' && this.#hashes.has(path)) this.#hashes.set(path, undefined)
  }
}
