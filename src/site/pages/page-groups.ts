/**
 * Whether a reader sees a page: one that names no groups always, another one only with one of its groups. Case does not
 * matter. No access rule, because readers say themselves which groups they have.
 * @param readers undefined for those who see everything, such as who writes the documentation
 */
export function seesPage(groups: readonly string[], readers: readonly string[] | undefined): boolean {
  if (groups.length === 0 || readers === undefined) return true
  const wanted = new Set(readers.map((group) => group.toLowerCase()))
  return groups.some((group) => wanted.has(group.toLowerCase()))
}
