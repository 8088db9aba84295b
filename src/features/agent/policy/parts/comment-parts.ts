import { type Part, partOf } from './part.ts'

/**
 * A comment that a program or a server takes for a command: `#exec cmd="…"`, `[[[cog …]]]`, `cmdrun …`, and a word with an
 * argument that is an address, a path or a call.
 */
export function actingComment(source: string, line: number): Part[] {
  const text = source.slice(4, -3).trim()
  const [word = '', ...rest] = text.split(/\s+/, 20)
  const isCommand =
    /^#[a-z]|^\[{3}/i.test(text) ||
    (/^[a-z][\w-]*(?:run|exec|eval|embed|embedme|include|import|insert|cmd)$|^(?:embed|include|import|exec|eval)[\w-]*:|^(?:exec|eval|embedme)$/.test(
      word,
    ) &&
      rest.length > 0) ||
    (/^[\w-]{2,40}:?$|^[\w-]+:[\w-]+$/.test(word) &&
      /^\(?[\w:]{0,80}\(?[\w.-]{1,80}[=:]\S{0,500}[/.]/.test(rest.join(' ')) &&
      rest.length < 5)
  return isCommand ? [partOf('comment', 'a comment that some program runs', source, line)] : []
}
