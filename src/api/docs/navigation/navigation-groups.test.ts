import { describe, expect, it } from 'vitest'
import { createNavigations, type NavigationGroup, type PageEntry } from './navigation-groups.ts'

const page = (label: string, groups: readonly string[], isOutside = false): PageEntry => ({
  path: `${label}.md`,
  url: `/${label}`,
  title: `Title of ${label}`,
  description: undefined,
  language: undefined,
  version: undefined,
  label,
  groups,
  isOutside,
})

function shown(items: (PageEntry | NavigationGroup)[]): unknown[] {
  return items.map((item) => ('url' in item ? item.label : [item.name, item.own?.path, shown(item.items)]))
}

describe('groups of the navigation', () => {
  it('lets the name of a group lead to the page of that name', () => {
    const navigation = createNavigations([
      page('home', []),
      // In the group, as an index file is.
      page('Guides', ['Guides']),
      page('first', ['Guides']),
      // Before the group, as in a list of links.
      page('Format', ['Guides']),
      page('summary', ['Guides', 'Format']),
      page('left out', ['Guides'], true),
    ])(undefined)
    expect(shown(navigation.items)).toEqual([
      'home',
      ['Guides', 'Guides.md', ['first', ['Format', 'Format.md', ['summary']]]],
    ])
  })
})
