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
  mdx: { title: 'Pages that do not compile', means: 'A build of the site stops at them.' },
  front_matter: {
    title: 'Unreadable front matter',
    means: 'Title, description and address of these pages are not what they were meant to be.',
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
    title: 'Pages outside of the navigation',
    means: 'Readers find them by search or a link only.',
  },
  title: { title: 'Pages without a title', means: 'They have no name in lists, in search and in browsers.' },
  description: {
    title: 'Pages without a description',
    means: 'Search engines and previews of links show an arbitrary part of them.',
  },
  duplicate: {
    title: 'Repeated titles, descriptions and addresses',
    means: 'Readers cannot tell these pages apart in lists and search results.',
  },
}
