import type { Page } from '../../../site/pages/page.ts'

type Kind = 'group' | 'tag'

/** The groups and tags of a page as an index keeps them, in one list. */
export function labelsOf({ groups, tags = [] }: Pick<Page, 'groups' | 'tags'>): string[] {
  return [...groups.map((group) => labelOf('group', group)), ...tags.map((tag) => labelOf('tag', tag))]
}

/** A label with its kind; case does not matter. Files of older indexes hold labels without a kind, which match nothing. */
export function labelOf(kind: Kind, name: string): string {
  return `${kind}\u001f${name.toLowerCase()}`
}

export function isOfKind(label: string, kind: Kind): boolean {
  return label.startsWith(labelOf(kind, ''))
}
