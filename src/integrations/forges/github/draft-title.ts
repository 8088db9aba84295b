const prefix = 'Draft: '

/** What a draft is called where a repository's plan has no drafts. */
export function draftTitle(title: string): string {
  return isDraftTitle(title) ? title : `${prefix}${title}`
}

export function isDraftTitle(title: string): boolean {
  return title.startsWith(prefix)
}

export function plainTitle(title: string): string {
  return isDraftTitle(title) ? title.slice(prefix.length) : title
}
