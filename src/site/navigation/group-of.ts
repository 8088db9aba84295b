import type { Navigation } from './navigation.ts'

/** The group of each page that the navigation names, by the page's path. */
export function groupOf(navigation: Navigation | undefined): ReadonlyMap<string, string> {
  const groups = new Map<string, string>()
  for (const { path, group } of navigation?.entries ?? []) {
    if (path !== undefined && group !== undefined && !groups.has(path)) groups.set(path, group)
  }
  return groups
}
