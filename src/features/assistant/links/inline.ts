import { setImmediate } from 'node:timers/promises'
import { closeBracket, closeRun, readDestination, runLength } from './destination.ts'
import { readCitationMark } from './citation-marks.ts'
import { createOutput, lineStart, type Output } from './output.ts'

/** A page that may be linked to; `url` is absolute and safe inside Markdown. */
export interface SafeLink {
  url: string
  /** The page's file. */
  path: string
  title: string
  /** Of the section, the heading path; undefined for the page as a whole. */
  heading?: string | undefined
  anchor?: string | undefined
}

/** The page of a link's target; undefined when it is not in the index. */
export type ResolveLink = (target: string) => Promise<SafeLink | undefined>

/** The result that a model was shown under a number; undefined where several were. */
export type ResolveNumber = (n: number) => SafeLink | undefined

export interface Inline {
  /**
   * Shows what is decided of a line without its break.
   * @param whole nothing more of the line comes
   * @param force decide what stands first, even if it could still become something
   * @returns how many characters are done
   */
  read(line: string, whole: boolean, force: boolean): Promise<number>
  endLine(): void
  takeLinks(): SafeLink[]
}

interface Read {
  end: number
}

const special = / (?=[[【\u{E200}])|[\\`[\]!<&【\u{E200}]|~{3}|\$\$|https?:\/\/|ftp:\/\/|www\./giu
/** Text that could become one of these with the next delta. */
const specialStart = /(?:h|ht|htt|https?|https?:|https?:\/|w|ww|www|f|ft|ftp|ftp:|ftp:\/|~{1,2}|\$| )$/i
const urlRun = /^[^\s<>`"|[\]{}\\^\u{3000}-\u{303F}\u{FF00}-\u{FF65}]*/u
const entity = /^&(?:#[xX]?[0-9a-fA-F]{0,8}|[A-Za-z][A-Za-z0-9]{0,31})?/
const plainEntities = new Set([
  '&amp',
  '&lt',
  '&gt',
  '&quot',
  '&apos',
  '&nbsp',
  '&mdash',
  '&ndash',
  '&hellip',
])
/** In code of one line that a table would cut at its bars. */
const linkLike = /\]\s*[(:[]|!\[|:\/\/|www\.|[<&]/i
const deepest = 4
/** The longest construct. Longer ones are plain text, so that reading stays linear. */
const longest = 1000
/** The number of constructs after which a long text lets other work run. */
const readAtOnce = 500

export function createInline(
  output: Output,
  resolve: ResolveLink,
  numbered: ResolveNumber = () => undefined,
  depth = 0,
): Inline {
  const links: SafeLink[] = []
  let cut = false
  let brackets = 0
  let done = 0

  const readAt = async (all: string, at: number, ended: boolean): Promise<Read | 'more'> => {
    const line = all.slice(0, at + longest)
    const clipped = line.length < all.length
    const whole = ended || clipped
    const rest = line.slice(at)
    const next = line[at + 1]
    switch (line[at]) {
      case '\\':
        if (next === undefined && !whole) return 'more'
        return readBackslash(at, next)
      case '`':
        return readCode(line, at, whole, clipped)
      case '!':
        if (next === undefined && !whole) return 'more'
        if (next !== '[') return keep('!', at)
        return readLink(line, at + 1, true, whole)
      case '[':
        return readMark(rest, at, whole) ?? readLink(line, at, false, whole)
      case ' ':
      case '【':
      case '\u{E200}':
        return readMark(rest, at, whole) ?? keep(line[at] ?? '', at)
      case ']':
        if (next === undefined && !whole) return 'more'
        if (brackets === 0 || (next !== undefined && '([:'.includes(next))) return keep('\\]', at)
        brackets--
        return keep(']', at)
      case '<':
        return readAngle(rest, at, whole)
      case '&':
        return readEntity(rest, at, whole)
      case '~':
        return keep('\\~', at)
      case '$':
        return keep('\\$', at)
      default:
        return readUrl(rest, at, whole)
    }
  }

  const keep = (text: string, at: number, length = 1): Read => {
    output.keep(text)
    return { end: at + length }
  }

  // A mark of a model's own becomes links to what it numbers, or goes with the space before it.
  const readMark = (rest: string, at: number, whole: boolean): Read | 'more' | undefined => {
    const from = rest.length - rest.trimStart().length
    const before = output.lineEnd()
    const mark = readCitationMark(from > 0 ? `${before} ` : before, rest.slice(from), whole)
    if (mark === undefined || mark === 'more') return mark
    const cited = mark.numbers.flatMap((n) => {
      const link = numbered(n)
      return link ? [{ n, link }] : []
    })
    const all = mark.numbers.length > 0 && cited.length === mark.numbers.length
    // Behind nothing, the rest of the line would be read differently.
    if (!all && lineStart.test(before)) return undefined
    const end = at + from + mark.length
    const next = rest.slice(from + mark.length).charAt(0)
    if (all) {
      links.push(...cited.map(({ link }) => link))
      output.put(`${' '.repeat(from)}${cited.map(({ n, link }) => `[${n}](${link.url})`).join(' ')}`)
    } else output.put(/[\p{L}\p{N}]/u.test(next) ? ' ' : '')
    return { end }
  }

  const readBackslash = (at: number, next: string | undefined): Read => {
    // An escape would hide a character of an address from the guard, but not from the reader.
    if (next === undefined || ':/.@'.includes(next) || !/[!-/:-@[-`{-~]/.test(next)) return keep('\\\\', at)
    return keep(`\\${next}`, at, 2)
  }

  const readCode = (line: string, at: number, whole: boolean, clipped: boolean): Read | 'more' => {
    const run = runLength(line, at)
    const close = closeRun(line, at + run, run)
    // A run at the end may be longer than it looks.
    const open = close === undefined || close + run === line.length
    if (open && !whole) return 'more'
    if (close !== undefined && !(open && clipped)) {
      const code = line.slice(at, close + run)
      cut ||= code.includes('|')
      if (!cut || !linkLike.test(code)) return keep(code, at, code.length)
    }
    return keep('\\`'.repeat(run), at, run)
  }

  const readLink = async (
    line: string,
    at: number,
    image: boolean,
    whole: boolean,
  ): Promise<Read | 'more'> => {
    const none = (): Read => {
      output.keep(image ? '!\\[' : '\\[')
      return { end: at + 1 }
    }
    const bracket = closeBracket(line, at)
    if (typeof bracket === 'string') return whole ? none() : 'more'
    const next = line[bracket.end]
    if (next === undefined && !whole) return 'more'
    if (next === ':') return none()
    if (next !== '(') {
      if (image) return none()
      brackets++
      return keep('[', at)
    }
    const destination = readDestination(line, bracket.end)
    if (destination === 'more') return whole ? none() : 'more'
    if (destination === 'none') return none()
    const text = (await reduce(line.slice(at + 1, bracket.end - 1), depth)).trim()
    const link = image ? undefined : await resolve(destination.target)
    if (link) {
      links.push(link)
      output.put(`[${text || plain(link.title)}](${link.url})`)
      // A line must not become empty, because the lines around it would then be read differently.
    } else output.put(text || (image ? 'image' : 'link'))
    return { end: destination.end }
  }

  const readAngle = async (rest: string, at: number, whole: boolean): Promise<Read | 'more'> => {
    if (rest.length === 1 && !whole) return 'more'
    if (!/^<[A-Za-z/!?]/.test(rest)) return keep('<', at)
    const [, target] = /^<([^\s<>`]*)>/.exec(rest) ?? []
    if (target === undefined) return /^<[^\s<>`]*$/.test(rest) && !whole ? 'more' : keep('\\<', at)
    if (!/^[a-z][a-z0-9+.-]{1,31}:|^[^@]+@[^@]+$/i.test(target)) return keep('\\<', at)
    await putUrl(target)
    return { end: at + target.length + 2 }
  }

  const readEntity = (rest: string, at: number, whole: boolean): Read | 'more' => {
    const name = entity.exec(rest)?.[0] ?? '&'
    if (name.length === rest.length && !whole) return 'more'
    const decoded = rest[name.length] === ';' && !plainEntities.has(name)
    return keep(decoded ? '&amp;' : '&', at)
  }

  const readUrl = async (rest: string, at: number, whole: boolean): Promise<Read | 'more'> => {
    const run = urlRun.exec(rest)?.[0] ?? ''
    if (run.length === rest.length && !whole) return 'more'
    const url = trimUrl(run)
    await putUrl(url)
    return { end: at + url.length }
  }

  const putUrl = async (target: string): Promise<void> => {
    const link = await resolve(target)
    if (!link) {
      // As code and without its scheme, no reader makes it a link, and people can still read it.
      output.put(`\`${target.replace(/^[a-z][a-z0-9+.-]*:(?:\/\/)?/i, '').replaceAll('|', '') || 'link'}\``)
      return
    }
    links.push(link)
    output.put(`<${link.url}>`)
  }

  return {
    async read(line, whole, force) {
      let at = 0
      while (at < line.length) {
        special.lastIndex = at
        const index = special.exec(line)?.index
        if (index === undefined) {
          const start = whole ? undefined : specialStart.exec(line.slice(Math.max(at, line.length - 8)))
          const end = start ? line.length - start[0].length : line.length
          output.keep(line.slice(at, end))
          return end
        }
        output.keep(line.slice(at, index))
        const read = await readAt(line, index, whole || (force && index === 0))
        if (read === 'more') return index
        at = read.end
        if (++done % readAtOnce === 0) await setImmediate()
      }
      return at
    },
    endLine() {
      cut = false
      brackets = 0
    },
    takeLinks: () => links.splice(0),
  }
}

// A link's text without links of its own.
async function reduce(text: string, depth: number): Promise<string> {
  if (depth >= deepest) return plain(text)
  const output = createOutput()
  await createInline(output, () => Promise.resolve(undefined), undefined, depth + 1).read(text, true, false)
  return output.take()
}

function plain(text: string): string {
  return text.replaceAll(/[\\`[\]()!<>&:/]/g, ' ').trim()
}

// Punctuation behind an address belongs to the sentence, and so does a bracket that it does not open.
function trimUrl(run: string): string {
  let end = run.length
  for (; end > 0; end--) {
    const last = run[end - 1] ?? ''
    const text = run.slice(0, end)
    const unopened = last === ')' && text.split(')').length > text.split('(').length
    if (!"?!.,:;*_~'".includes(last) && !unopened) break
  }
  // The rest must be longer than the scheme, or there would be no progress.
  return end > 4 ? run.slice(0, end) : run.slice(0, 4)
}
