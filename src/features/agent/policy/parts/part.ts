import type { ApprovalColumn } from '../../../../store/columns.ts'
import { hostsOf, launchedScheme } from '../addresses.ts'
import { isPlainArgument, isProse, runningName } from './plain-arguments.ts'

/** Whether the site's generator brings something of this kind and name, which is inert. */
export type Ships = (kind: 'component' | 'directive' | 'role' | 'call', name: string) => boolean

/** Something in a file that is not known to be inert: it may run, load, include or send readers elsewhere. */
export interface Part {
  /**
   * Its kind and name, with its arguments where they are not plain. Two parts of the same key do the same: what the base
   * has under it is the site's own.
   */
  key: string
  /** In the file, from 1. */
  line: number
  /** What it is, as the end of "It would add …". */
  what: string
  /** `look`: not known, and by what is known not able to act. Without it the part is held. */
  degree?: 'look'
  /** Keys that it may be known by as well. */
  also?: readonly string[]
  /** What stands in every text that has it; without it, or where it has no words, any may. */
  words?: string
  /** The page itself brings it, so that it is nothing new there: other pages may know it by this one. */
  isBound?: boolean
  /** What a person or the project may allow of it. */
  approval?: ApprovalColumn
}

/** What a page is that no parser should be given. */
export const tooComplex = 'more than can be judged'

export function partOf(kind: string, what: string, source: string, line: number): Part {
  const key = `${kind} ${source.split('\n').map(squeezed).filter(Boolean).join('\n')}`
  return { key, line, what: `${what}: ${shown(source)}`, words: source }
}

/**
 * A file of another host that readers' browsers would fetch, and those of reviewers before them. It is to be looked at,
 * but for an address that could tell the host something.
 */
export function hostPart(host: string, line: number, address = ''): Part {
  const what = `an image or file of the host ${host}, which no page loads from`
  const part = {
    key: `image ${host}`,
    line,
    approval: { kind: 'host' as const, value: host },
    words: wordsOfHost(host),
  }
  if (carriesData(host, address)) return { ...part, what: `${what}, with more in its address than a name` }
  return { ...part, what, degree: 'look' }
}

/** The same for an address. */
export function hostParts(address: string, line: number): Part[] {
  return hostsOf(address).map((host) => hostPart(host, line, address))
}

/** Whether an address has room for a text beside the names of folders and of a file. */
function carriesData(host: string, address: string): boolean {
  const [path = '', query = ''] = address.replace(/^[^/]*\/\/[^/?#]*/, '').split(/[?#]/, 2)
  // What people upload at the host of a repository, whose owner sees no requests.
  if (host === 'user-images.githubusercontent.com') return false
  const opaque = /[A-Za-z\d+/=_%]{24}|[\da-f]{20}|(?:[\da-f]{4,12}-){4}[\da-f]{4}/
  return (
    path.length > 150 ||
    path.split('/').some((name) => name.length > 60 || opaque.test(name)) ||
    query.length > 40 ||
    host.split('.').some((label) => label.length > 24) ||
    host.split('.').length > 5
  )
}

/** A host stands in a text as it is, but for one of letters that are no ASCII. */
export function wordsOfHost(host: string): string {
  return host.includes('xn--') ? '' : host
}

/** A link that opens a program on the reader's machine. */
export function launchParts(address: string, line: number): Part[] {
  const scheme = launchedScheme(address)
  if (scheme === undefined) return []
  const what = `a link that opens a program by ${scheme}:, which no page has: ${shown(address)}`
  return [{ key: `scheme ${scheme}`, what, line, words: scheme }]
}

export function blanked(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

/** White space does not count. */
export function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Cut and without line ends, for messages. */
export function shown(text: string): string {
  const line = squeezed(text.slice(0, 1000))
  return line.length > 80 ? `${line.slice(0, 80).toWellFormed()}…` : line
}

export function lineAt(text: string, at: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line++
  return line
}

/** A role, unless the generator brings it; domains of languages have the same ones: `py:func`. A title may have its target behind it. */
export function roleParts(name: string, content: string, line: number, ships: Ships): Part[] {
  if (ships('role', name) || ships('role', name.replace(/^(?:py|c|cpp|js|std|rst):/, ''))) return []
  const plain = content.replace(/\s{0,20}<[^<>"'\s]{0,500}>$/, '')
  const isPlain = isPlainArgument(plain) && !runningName.test(name)
  const what = `the role ${name}, which no page has: ${shown(content)}`
  return isPlain
    ? [{ key: `role ${name}`, what, line, degree: 'look', words: name }]
    : [{ key: `role ${name} ${squeezed(content)}`, what, line, words: name }]
}

/** Whatever a generator has under these names, in the notations of docutils they are no plain blocks. */
export const bringsMarkup = /^(?:raw|default-role|role)$/i

/**
 * A directive of a name that the generator does not bring: known by it alone where what it is given is prose. `lines` are its
 * arguments, options and content.
 */
export function directivePart(name: string, lines: readonly string[], source: string, line: number): Part {
  const part = partOf('directive', 'a directive that runs or takes in something', source, line)
  if (runningName.test(name) || bringsMarkup.test(name) || !lines.every(isProse)) return part
  const key = `directive ${name.toLowerCase()}`
  const what = `the directive ${name}, which no page has: ${shown(source)}`
  return {
    key,
    what,
    line,
    words: name,
    ...(!lines.some((one) => /(?:^|\s)[/~]/.test(one)) && { degree: 'look' }),
  }
}
