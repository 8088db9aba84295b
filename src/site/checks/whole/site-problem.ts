/** What is wrong with a site, by what a person would do about it. */
export const siteProblemKinds = [
  'unreadable',
  'mdx',
  'front_matter',
  'link',
  'anchor',
  'image',
  'navigation',
  'outside_navigation',
  'title',
  'description',
  'duplicate',
] as const

export type SiteProblemKind = (typeof siteProblemKinds)[number]

export interface SiteProblem {
  kind: SiteProblemKind
  path: string
  line: number
  message: string
  hint?: string
  /** It may be right: the site has many like it. */
  isWarning?: true
}
