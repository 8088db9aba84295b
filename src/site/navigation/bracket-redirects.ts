import type { Edit } from '../text/text-file.ts'
import {
  type ObjectSource,
  indentOf,
  insertChild,
  objectLike,
  quoted,
  removeChild,
  usualQuote,
} from './edit-container.ts'
import type { Container, RedirectList, Span } from './navigation-tree.ts'

/** One redirect as it is written. */
export interface WrittenRedirect {
  from: string
  fromNode: Span
  /** Undefined where it is no string literal. */
  to: string | undefined
  toNode: Span
  /** The whole entry; undefined where it redirects other addresses too. */
  whole: Span | ObjectSource | undefined
}

interface Style {
  /** The keys of an entry; undefined for one object from address to address. */
  keys: readonly [from: string, to: string] | undefined
  /** The path that the site is served below, if targets repeat it. */
  prefix: string
  isSame: RedirectList['isSame']
  /** Writes an address in the style of another one. */
  like(url: string, sample: string): string
  /** Writes an entry if there is none whose style can be copied. */
  plain(properties: readonly string[], indent: string): string
}

/** Redirects in JSON or code: a list of objects, or one object. */
export function bracketRedirects(
  container: Container,
  written: readonly WrittenRedirect[],
  { keys, prefix, isSame, like, plain }: Style,
): RedirectList {
  const { path, text } = container.file
  const make = (fromUrl: string, toUrl: string) => (indent: string) => {
    const sample = written.at(-1)
    const usual = usualQuote(path, text)
    const quoteAt = (node: Span | undefined) => {
      const source = node === undefined ? '' : text.slice(node.start, node.start + 1)
      return /^['"`]/.test(source) ? source : usual
    }
    const from = quoted(like(fromUrl, sample?.from ?? '/x'), quoteAt(sample?.fromNode))
    const to = quoted(`${prefix}${like(toUrl, sample?.to ?? toUrl)}`, quoteAt(sample?.toNode))
    if (keys === undefined) return `${from}: ${to}`
    const values = new Map([
      [keys[0], from],
      [keys[1], to],
    ])
    const whole = sample?.whole
    const copied =
      whole !== undefined && 'properties' in whole ? objectLike(whole, values, indent) : undefined
    return (
      copied ??
      plain(
        [...values].map(([key, value]) => `${path.endsWith('.json') ? `"${key}"` : key}: ${value}`),
        indent,
      )
    )
  }
  return {
    path,
    entries: written.map(({ from, to, toNode, whole }) => {
      const [address = '', hash] = to?.split('#', 2) ?? []
      return {
        from,
        to: to === undefined ? undefined : address.slice(address.startsWith(prefix) ? prefix.length : 0),
        hash,
        retarget: (url, kept): Edit[] => {
          if (to === undefined) return []
          const target = `${prefix}${like(url, address)}${kept === undefined ? '' : `#${kept}`}`
          return [
            {
              start: toNode.start,
              end: toNode.end,
              text: quoted(target, text.slice(toNode.start, toNode.start + 1)),
            },
          ]
        },
        whole: whole && {
          replace: (fromUrl, toUrl) => [
            { start: whole.start, end: whole.end, text: make(fromUrl, toUrl)(indentOf(text, whole.start)) },
          ],
          remove: () => removeChild({ container, child: whole }),
        },
      }
    }),
    nameOf: ({ url }) => url,
    isSame,
    append: (from, to) => insertChild(container, undefined, make(from, to)),
  }
}
