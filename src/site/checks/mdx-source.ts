import type { PageLine } from '../pages/page-lines.ts'

/**
 * What the MDX compiler gets of a page: everything that a framework takes out or reads before it is blanked, so that
 * lines and columns stay as they are.
 */
export function mdxSource(lines: readonly PageLine[], framework: string): string {
  // Astro's MDX knows neither; a site without a framework may be built by anything.
  const isLenient = framework !== 'starlight'
  let unwrapped = false
  let open = false
  return lines
    .map(({ kind, text, info }) => {
      if (kind === 'front_matter') return ''
      if (kind === 'opening') {
        unwrapped = framework === 'docusaurus' && info === 'mdx-code-block'
        return unwrapped ? '' : text
      }
      if (kind === 'closing') return unwrapped ? '' : text
      if (kind === 'code') return text
      if (!isLenient) return withoutAttributes(text)
      if (open) {
        const end = text.indexOf('-->')
        if (end === -1) return ''
        open = false
        return blank(text.slice(0, end + 3)) + text.slice(end + 3)
      }
      const { plain, isOpen } = withoutComments(text)
      open = isOpen && kind === 'text'
      return withoutAttributes(withoutHeadingId(plain))
    })
    .join('\n')
}

/** A line with its comments blanked, be it to its end for one that goes on. */
function withoutComments(text: string): { plain: string; isOpen: boolean } {
  let plain = ''
  let from = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start)
    // Inline code may show a comment's opening.
    if (end === -1 && text.slice(0, start).includes('`')) break
    plain += text.slice(from, start)
    if (end === -1) return { plain, isOpen: true }
    plain += blank(text.slice(start, end + 3))
    from = end + 3
  }
  return { plain: plain + text.slice(from), isOpen: false }
}

/** Formulas hold braces that only a plugin for them understands. */
export function withoutMath(source: string): string {
  return source
    .replace(/(?<!\\)\$\$(?:(?!\$\$)[\s\S]){1,10000}\$\$/g, blank)
    .replace(/(?<![\\$])\$(?=[^\s$])[^$\n]{1,1000}\$/g, blank)
}

function withoutHeadingId(text: string): string {
  return /^[\s>]*#{1,6}\s/.test(text) ? text.replace(/\{\s*#[^{}]*\}\s*$/, blank) : text
}

/** `:::note[Title]{.class}`, `:kbd[x]{title="y"}`. */
function withoutAttributes(text: string): string {
  if (!text.includes(':')) return text
  return text.replace(
    /((?:^|\s)(?::{2,}[a-z][\w-]{0,100}(?:\[[^\]\n]{0,500}\])?|:[a-z][\w-]{0,100}\[[^\]\n]{0,500}\]))(\{[^{}\n]*\})/gi,
    (_, name: string, attributes: string) => name + blank(attributes),
  )
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
