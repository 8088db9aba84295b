/**
 * A page's text for use in an answer: words and code, but no links, images or tags. The only links of an answer are
 * those to the search results.
 */
export function safeText(text: string): string {
  // Code spans are kept unchanged; the rest becomes plain text.
  const pieces = text.split(/(?<!`)(`+[^`\n]+`+)/)
  return pieces.map((piece, index) => (index % 2 === 1 ? piece : plain(piece))).join('')
}

function plain(text: string): string {
  return text
    .replaceAll('`', '\\`')
    .replace(/!\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)/g, '$1')
    .replace(/\[([^\]\n]{1,300})\]\([^)\n]{0,2000}\)/g, '$1')
    .replace(
      /\b(?:https?|ftp):\/\/[^\s<>"'`）]{1,2000}?(?=[.,;:!?)\]]*(?:\s|$|[）。，]))/gi,
      (url) => `\`${url}\``,
    )
    .replace(/<(?=[A-Za-z/!?])/g, '\\<')
    .replace(/\[/g, '\\[')
}

export interface Cited {
  title: string
  heading: string
  url: string
}

/** `[Title – Heading](url)`, or only the text when the address is invalid. */
export function linkTo(cited: Cited): string {
  const heading = cited.heading.trim()
  const title = cited.title.trim()
  const name =
    heading === '' || heading.toLowerCase() === title.toLowerCase()
      ? title
      : title === ''
        ? heading
        : `${title} – ${heading}`
  const label = name.replace(/\s+/g, ' ').replace(/[\\[\]<>`*_]/g, '\\$&') || cited.url
  if (!/^(?:https?:\/\/|\/(?!\/))/.test(cited.url)) return label
  return /[()\s<>]/.test(cited.url)
    ? `[${label}](<${cited.url.replace(/[<>\n]/g, '')}>)`
    : `[${label}](${cited.url})`
}
