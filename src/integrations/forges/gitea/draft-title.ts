const prefix = 'WIP: '
// What servers take for one unless they are set otherwise.
const known = /^\s*(?:WIP:|\[WIP\])\s*/i

/** A pull request is a draft by its title. */
export function draftTitle(title: string): string {
  return isDraft(title) ? title : `${prefix}${title}`
}

export function isDraft(title: string): boolean {
  return known.test(title)
}

export function plainTitle(title: string): string {
  return title.replace(known, '')
}
