import type { AnyNode } from 'acorn'
import { redirectEntries } from '../code-config/read-navigation.ts'
import type { Value } from '../code-config/resolve.ts'
import type { Edit } from '../text/text-file.ts'
import { containerOf, indentOf, insertChild, joinRemovals, removeChild } from './code-layout.ts'
import { objectLike, quoted, usualQuote } from './code-literal.ts'

/** Sends the old address to the new one; older redirects to it go straight to the new, none makes a circle. */
export function codeRedirectEdits(
  list: Value,
  { fromUrl, toUrl, base }: { fromUrl: string; toUrl: string; base: string },
): Edit[] {
  if (fromUrl === toUrl) return []
  const { path, text } = list.script
  const entries = redirectEntries(list)
  const container = containerOf(list.script, list.node)
  // Where a site is served below a path, what a redirect leads to names that path, if the others do.
  const prefix = base !== '' && entries.some(({ to }) => to?.startsWith(`${base}/`) === true) ? base : ''
  const edits: Edit[] = []
  const targets = new Set<number>()
  const circles: AnyNode[] = []
  let known = false
  for (const entry of entries) {
    const { from, to, toNode } = entry
    const [address = '', hash] = (to ?? '').split('#', 2)
    const isOld =
      to !== undefined && same(address.slice(address.startsWith(prefix) ? prefix.length : 0), fromUrl)
    if (same(from, toUrl)) {
      if (entry.whole !== undefined) circles.push(entry.whole)
    } else if (same(from, fromUrl) || isOld) {
      known ||= same(from, fromUrl)
      if (targets.has(toNode.start) || to === undefined) continue
      targets.add(toNode.start)
      const target = `${prefix}${endLike(toUrl, address)}${hash === undefined ? '' : `#${hash}`}`
      edits.push({ start: toNode.start, end: toNode.end, text: quoted(target, text.slice(toNode.start)) })
    }
  }
  if (!known) {
    const sample = entries.at(-1)
    const like = (node: { start: number } | undefined) =>
      node === undefined ? usualQuote(path, text) : quoteOf(text.slice(node.start), usualQuote(path, text))
    const from = quoted(endLike(fromUrl, sample?.from ?? '/x'), like(sample?.fromNode))
    const to = quoted(`${prefix}${endLike(toUrl, sample?.to ?? toUrl)}`, like(sample?.toNode))
    const make = (indent: string): string => {
      if (list.node.type === 'ObjectExpression') return `${from}: ${to}`
      const values = new Map([
        ['from', from],
        ['to', to],
      ])
      const made = sample?.whole && objectLike(text, sample.whole, values, indent)
      return (
        made ?? (path.endsWith('.json') ? `{ "from": ${from}, "to": ${to} }` : `{ from: ${from}, to: ${to} }`)
      )
    }
    const circle = circles.shift()
    // In the place of the one that would now lead in a circle.
    if (circle === undefined) edits.push(...insertChild(container, undefined, make))
    else edits.push({ start: circle.start, end: circle.end, text: make(indentOf(text, circle.start)) })
  }
  for (const circle of circles) edits.push(...removeChild(container, circle))
  return joinRemovals(edits)
}

function quoteOf(source: string, usual: string): string {
  return /^['"`]/.test(source) ? source : usual
}

function same(address: string, url: string): boolean {
  return trimmed(address) === trimmed(url)
}

function trimmed(address: string): string {
  return `/${address
    .replace(/\.html$/, '')
    .replace(/^\/+/, '')
    .replace(/(?<!\/)\/+$/, '')}`
}

/** With a slash at its end where `like` has one. */
function endLike(url: string, like: string): string {
  if (url === '/' || like === '/') return url
  return like.endsWith('/') ? `${url.replace(/\/$/, '')}/` : url.replace(/\/$/, '')
}
