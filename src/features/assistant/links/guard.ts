import { makeStorable } from '../../../lib/text/plain-text.ts'
import { createFences } from './fences.ts'
import { createInline, type ResolveLink, type ResolveNumber, type SafeLink } from './inline.ts'
import { createOutput } from './output.ts'

/** Text that may be shown, and the pages that it links to, which no earlier piece did. */
export interface Guarded {
  text: string
  links: SafeLink[]
}

export interface LinkGuard {
  write(delta: string): Promise<Guarded>
  /** The text that is still held back. */
  end(): Promise<Guarded>
}

/** The most characters to wait for a construct's end. Its opening is then shown as plain text. */
const longestHeld = 2000

/**
 * Lets Markdown through as it streams, with links to real pages only. Everything else that a Markdown reader would make a
 * link, an image or HTML of becomes plain text; code stays as it is. Where readers could disagree about what is code,
 * the text is written so that they cannot.
 */
export function createLinkGuard(resolve: ResolveLink, numbered?: ResolveNumber): LinkGuard {
  const output = createOutput()
  const fences = createFences()
  const inline = createInline(output, resolve, numbered)
  let held = ''
  let kind: 'code' | 'prose' | 'undecided' = 'undecided'

  const run = async (final: boolean): Promise<Guarded> => {
    while (held !== '') {
      const lineEnd = held.indexOf('\n')
      const line = lineEnd < 0 ? held : held.slice(0, lineEnd)
      const whole = lineEnd >= 0 || final
      let used = 0
      if (kind === 'undecided') {
        const waits = !whole && fences.undecided(line)
        if (waits && line.length < longestHeld) break
        const read = waits ? undefined : fences.read(line)
        kind = read?.kind ?? 'prose'
        if (read?.instead !== undefined) {
          output.keep(read.instead)
          held = held.slice(line.length)
          continue
        }
      }
      if (kind === 'code') {
        output.keep(line)
        used = line.length
      } else {
        const long = line.length > longestHeld
        used = await inline.read(line, whole, long)
        if (used < line.length) {
          held = held.slice(used)
          if (long && held.length > longestHeld) continue
          break
        }
      }
      held = held.slice(used)
      if (lineEnd >= 0) {
        output.keep('\n')
        inline.endLine()
        held = held.slice(1)
        kind = 'undecided'
      }
    }
    return { text: output.take(), links: inline.takeLinks() }
  }

  // Half of a surrogate pair waits for the other half in the next delta.
  let half = ''
  return {
    write(delta) {
      const text = half + delta
      half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : ''
      held += makeStorable(text.slice(0, text.length - half.length)).replaceAll('\r', '')
      return run(false)
    },
    async end() {
      const { text, links } = await run(true)
      return { text: text + fences.end(), links }
    },
  }
}
