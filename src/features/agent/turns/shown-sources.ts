import { isRecord } from '../../../lib/is-record.ts'
import { readNumberedDiff } from '../workspace/numbered-diff.ts'

/** Where a source is, for a link to it. */
interface SourcePlace {
  /** `@name` of a context repository; undefined for the project's own. */
  repository?: string | undefined
  /** Empty for the commit itself. */
  path: string
  /** Undefined for the commit that the turn started from. */
  commit?: string | undefined
  /** The first and the last line; undefined for the whole file. */
  lines?: [number, number] | undefined
}

/** A source that the model was shown: as it is printed, with its place or its address. */
export interface ShownSource {
  text: string
  place?: SourcePlace
  address?: string
}

/** What stands for the words of the people who asked. */
export const fromPrompt = 'the prompt'

interface ShownFile {
  repository: string | undefined
  /** Of a commit that was looked at. */
  commit: string | undefined
  /** Undefined: all of it. */
  lines: Set<number> | undefined
}

/**
 * What a model was shown in a turn: files with their lines, commits and documents. Made from the outputs of its calls alone, by
 * their form, so that whatever shows numbered lines counts, and a restart comes to the same.
 */
export class ShownSources {
  /** By path, with the name of its repository. */
  #files = new Map<string, ShownFile[]>()
  #commits = new Map<string, string | undefined>()
  /** Commits at which context repositories were read. */
  #heads = new Map<string, string>()
  /** Addresses by the ways in which a document may be called. */
  #documents = new Map<string, string>()
  /** Files that the turn has changed: what they say now is the model's own. */
  #changed = new Set<string>()
  /** Sources that earlier turns have given, with their links. */
  #earlier = new Map<string, string | undefined>()

  /** A text that stood before the model as a whole. */
  addWhole(path: string): void {
    this.#add(path, { repository: undefined, commit: undefined, lines: undefined })
  }

  addEarlier(source: string, address: string | undefined): void {
    this.#earlier.set(source, address ?? this.#earlier.get(source))
  }

  /** @param changesFiles whether the tool writes */
  record(output: unknown, changesFiles: boolean): void {
    if (!isRecord(output) || 'error' in output) return
    if (changesFiles) {
      for (const path of pathsOf(output)) this.#changed.add(path)
      return
    }
    this.#recordPart(output, text(output['repository']))
  }

  #recordPart(output: Readonly<Record<string, unknown>>, repository: string | undefined): void {
    const path = text(output['path'])
    const inside = (file: string) =>
      repository === undefined || file.startsWith('@') ? file : `${repository}/${file}`
    if (path !== undefined) this.#recordLines(inside(path), repository, output)
    const [id, parent, diff] = [text(output['id']), text(output['parent']), text(output['diff'])]
    const head = text(output['commit'])
    if (repository !== undefined && head !== undefined && text(output['repository']) === repository)
      this.#heads.set(repository, head)
    for (const commit of [id, head])
      if (commit !== undefined && /^[0-9a-f]{7,64}$/.test(commit)) this.#commits.set(commit, repository)
    // The diff of what the turn itself has changed is no source.
    if (diff !== undefined && id !== undefined) {
      for (const { path: file, side, line } of readNumberedDiff(diff)) {
        const commit = side === 'new' ? id : parent
        if (commit !== undefined) this.#addLines(inside(file), { repository, commit }, [line])
      }
    }
    for (const value of Object.values(output)) {
      if (!Array.isArray(value)) continue
      for (const item of value) if (isRecord(item)) this.#recordPart(item, repository)
    }
  }

  #recordLines(
    path: string,
    repository: string | undefined,
    output: Readonly<Record<string, unknown>>,
  ): void {
    const url = text(output['url'])
    if (url !== undefined && typeof output['content'] === 'string')
      for (const name of [url, path]) this.#documents.set(name, url)
    if (this.#changed.has(path)) return
    const { line, content, first, last } = output
    const lines = [
      ...(typeof line === 'number' ? [line] : []),
      ...numbersIn(text(content)),
      ...numbersIn(text(output['text'])),
      ...rangeOf(text(output['lines'])),
      ...(typeof first === 'number' && typeof last === 'number' ? rangeOf(`${first}-${last}`) : []),
    ]
    if (lines.length > 0) this.#addLines(path, { repository, commit: undefined }, lines)
  }

  #addLines(path: string, at: Omit<ShownFile, 'lines'>, lines: readonly number[]): void {
    const known = this.#files.get(path)?.find((one) => one.commit === at.commit)
    if (known === undefined) this.#add(path, { ...at, lines: new Set(lines) })
    else for (const line of lines) known.lines?.add(line)
  }

  #add(path: string, file: ShownFile): void {
    this.#files.set(path, [...(this.#files.get(path) ?? []), file])
  }

  /** What a source means, however the model writes it; undefined for one that it was never shown. */
  find(given: string): ShownSource | undefined {
    const source = given.trim().replace(/^`(.*)`$/, '$1')
    if (/^(?:the )?(?:user'?s? )?(?:prompt|request|message)$/i.test(source)) return { text: fromPrompt }
    const before = this.#earlier.get(source)
    if (this.#earlier.has(source)) return { text: source, ...(before !== undefined && { address: before }) }
    return this.#findCommit(source) ?? this.#findFile(source) ?? this.#findDocument(source)
  }

  /** The lines of a file that were shown, for a model that has named others: `10-24, 31`. */
  linesOf(given: string): string | undefined {
    const path = this.#pathOf(readPlace(given.trim()).path)
    const files = path === undefined ? [] : (this.#files.get(path) ?? [])
    const lines = new Set(files.flatMap((file) => [...(file.lines ?? [])]))
    return lines.size === 0 ? undefined : printLines([...lines].toSorted((one, other) => one - other))
  }

  #findCommit(source: string): ShownSource | undefined {
    const [, name] = /^(?:@[^/\s]{1,100}[ @:/]+)?(?:commit[ :]+)?([0-9a-f]{7,64})$/i.exec(source) ?? []
    if (name === undefined) return undefined
    const id = name.toLowerCase()
    for (const [commit, repository] of this.#commits)
      if (commit.startsWith(id) || id.startsWith(commit))
        return { text: `commit ${commit.slice(0, 12)}`, place: { repository, path: '', commit } }
    return undefined
  }

  #findFile(source: string): ShownSource | undefined {
    const { path: given, lines } = readPlace(source)
    const path = this.#pathOf(given)
    if (path === undefined) return undefined
    const files = this.#files.get(path) ?? []
    // As it is now, before any other commit; of all of these, the one of which most was shown.
    const now = files.filter((one) => one.commit === undefined)
    const others = files.filter((one) => one.commit !== undefined).toReversed()
    const parts = [...now, ...others].map((one) => ({ file: one, range: shownPart(one, lines) }))
    const [best] = parts.toSorted((one, other) => lengthOf(other.range) - lengthOf(one.range))
    if (best?.range === undefined) return undefined
    const { file } = best
    const range = lines === undefined ? undefined : best.range
    const { repository } = file
    const commit = file.commit ?? (repository === undefined ? undefined : this.#heads.get(repository))
    const inside = repository === undefined ? path : path.slice(repository.length + 1)
    return { text: `${path}${printRange(range)}`, place: { repository, path: inside, commit, lines: range } }
  }

  /** A path as it was shown, or the only one that ends like this. */
  #pathOf(given: string): string | undefined {
    const path = given.replace(/^(?:\.?\/)+/, '')
    if (path === '') return undefined
    if (this.#files.has(path)) return path
    const [only, ...others] = [...this.#files.keys()].filter((one) => one.endsWith(`/${path}`))
    return others.length === 0 ? only : undefined
  }

  #findDocument(source: string): ShownSource | undefined {
    const [plain = ''] = source.split('#')
    const names = [source, plain, plain.replace(/^(?:\.?\/)+/, '')]
    const address = names.map((name) => this.#documents.get(name)).find((one) => one !== undefined)
    return address === undefined ? undefined : { text: source, address }
  }
}

const mostLines = 20_000

function readPlace(source: string): { path: string; lines: [number, number] | undefined } {
  const [, path = source, from, to] =
    /^(.{1,1000}?)(?:(?::|#L|,? lines? )(\d{1,7})(?:(?:-|–|:|-L| to )(\d{1,7}))?)?$/.exec(source) ?? []
  if (from === undefined) return { path, lines: undefined }
  return { path, lines: [Number(from), Number(to ?? from)] }
}

/**
 * What of a range was shown: its longest run of lines, if both ends were shown. Ranges are named from diffs and search results,
 * which leave lines out between those, and a line that was not shown is not printed.
 */
function shownPart(
  { lines }: ShownFile,
  wanted: readonly [number, number] | undefined,
): [number, number] | undefined {
  if (wanted === undefined) return [0, 0]
  const [from, to] = wanted
  if (to < from || to - from > mostLines) return undefined
  if (lines === undefined) return [from, to]
  if (!lines.has(from) || !lines.has(to)) return undefined
  let best: [number, number] | undefined
  let start: number | undefined
  for (let line = from; line <= to + 1; line++) {
    if (line <= to && lines.has(line)) start ??= line
    else if (start !== undefined) {
      if (lengthOf([start, line - 1]) > lengthOf(best)) best = [start, line - 1]
      start = undefined
    }
  }
  return best
}

function lengthOf(range: readonly [number, number] | undefined): number {
  return range === undefined ? 0 : range[1] - range[0] + 1
}

function printRange(lines: readonly [number, number] | undefined): string {
  if (lines === undefined) return ''
  return lines[0] === lines[1] ? `:${lines[0]}` : `:${lines[0]}-${lines[1]}`
}

function printLines(sorted: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const line of sorted) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  const printed = ranges.slice(0, 10).map((range) => printRange(range).slice(1))
  return printed.join(', ') + (ranges.length > 10 ? ', …' : '')
}

/** The numbers before a tab at the beginning of lines. */
function numbersIn(content: string | undefined): number[] {
  if (content === undefined) return []
  return Array.from(content.matchAll(/^[ >]{0,3}(\d{1,7})\t/gm), ([, number]) => Number(number))
}

function rangeOf(lines: string | undefined): number[] {
  const [, from, to] = /^(\d{1,7})-(\d{1,7})$/.exec(lines ?? '') ?? []
  if (from === undefined || to === undefined) return []
  const length = Math.min(mostLines, Number(to) - Number(from) + 1)
  return Array.from({ length: Math.max(0, length) }, (_, index) => Number(from) + index)
}

/** Every path that the output of a writing tool names. */
function pathsOf(output: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(output).flatMap(([name, value]) => {
    if (typeof value === 'string') return ['path', 'from', 'to'].includes(name) ? [value] : []
    if (Array.isArray(value))
      return value.flatMap((item) =>
        typeof item === 'string' ? [item] : isRecord(item) ? pathsOf(item) : [],
      )
    return name === 'hashes' && isRecord(value) ? Object.keys(value) : []
  })
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
