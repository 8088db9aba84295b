/** A title as the text of a link in Markdown: it is a stranger’s text, and must stay one. */
export function linkText(title: string, otherwise = 'Untitled'): string {
  return (
    title
      .replaceAll(/[\\[\]()<>`*_]/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim() || otherwise
  )
}
