import type { SiteProblemKind } from '../../site/checks/whole/site-problem.ts'

interface KindText {
  /** Of several, as a heading. */
  title: string
  /** What it means for readers. */
  means: string
}

export const kindTexts: Readonly<Record<SiteProblemKind, KindText>> = {
  unreadable: {
    title: 'Files that cannot be read',
    means: 'They are left out of search and answers, in whole or in part.',
  },
  mdx: { title: 'Pages that do not compile', means: 'Your site build fails on these pages.' },
  front_matter: {
    title: 'Unreadable front matter',
    means: 'Docwright can’t read the title, description, or URL of these pages.',
  },
  link: { title: 'Broken links', means: 'Readers who follow them find nothing.' },
  anchor: {
    title: 'Broken anchors',
    means: 'The page is there, but not the heading: readers land at the top of it.',
  },
  image: { title: 'Missing images', means: 'Readers see an empty frame.' },
  navigation: {
    title: 'Navigation entries without a page',
    means: 'The navigation offers something that is not there.',
  },
  outside_navigation: {
    title: 'Pages missing from navigation',
    means: 'Readers can only reach these by search or a direct link.',
  },
  title: {
    title: 'Pages without a title',
    means: 'These pages show up untitled in search, navigation, and browser tabs.',
  },
  description: {
    title: 'Pages without a description',
    means: 'Search engines and link previews show an arbitrary excerpt instead.',
  },
  duplicate: {
    title: 'Repeated titles, descriptions and addresses',
    means: 'Readers cannot tell these pages apart in lists and search results.',
  },
}
