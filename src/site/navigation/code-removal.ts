import type { Holder, NamedPage } from '../code-config/sidebar.ts'

/** What goes with a page: its entry, and the groups that would be left with nothing where none may be empty. */
export function codeRemoval({ holder, list }: NamedPage): Holder | undefined {
  let gone = holder
  let emptied = list
  while (gone !== undefined && emptied?.owner !== undefined) {
    const count = emptied.node.elements.filter((element) => element !== null).length
    if (count > 1) break
    gone = emptied.owner.holder
    emptied = emptied.owner.list
  }
  return gone
}
