import { basePath, withBase } from '../../base-path.ts'
import type { Html } from './html.ts'

/** The attributes that hold one address, as HTML defines them. */
const holdAddress: ReadonlySet<string> = new Set([
  'action',
  'cite',
  'data',
  'formaction',
  'href',
  'poster',
  'src',
])

/** The text of a page or of a part of one. All that is sent as HTML is printed here, so its addresses are right. */
export async function printHtml(page: Html): Promise<string> {
  const text = (await page).toString()
  return basePath() === '' ? text : placeAddresses(text)
}

/**
 * Puts the base path before the addresses of this server. It reads what our own printers write: values are in quotes,
 * and texts hold no `<`. Attributes are read in their place, so what only looks like one in a text or in a value stays as
 * it is.
 */
function placeAddresses(text: string): string {
  const parts: string[] = []
  let kept = 0
  let at = 0
  for (const { index } of text.matchAll(/<[a-z]/gi)) {
    // This one is within the attributes of the tag before it.
    if (index < at) continue
    at = index + 1
    for (;;) {
      attribute.lastIndex = at
      const match = attribute.exec(text)
      if (!match) break
      at = attribute.lastIndex
      const { 1: name = '', 2: quoted, 3: value = quoted } = match
      if (value === undefined || !holdAddress.has(name.toLowerCase())) continue
      const start = at - 1 - value.length
      parts.push(text.slice(kept, start), withBase(value))
      kept = at - 1
    }
  }
  parts.push(text.slice(kept))
  return parts.join('')
}

/** The next name in a tag, with its value if it has one; the name of the tag itself is the first. */
const attribute = /\s*([^\s"'=>]+)(?:=(?:"([^"]*)"|'([^']*)'))?/y
