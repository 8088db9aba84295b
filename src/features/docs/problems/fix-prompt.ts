import type { SiteProblemKind } from '../../../site/checks/whole/site-problem.ts'

/** What is asked of the agent for a kind of problem. `where` ends the sentence: ` in guides/setup.mdx`. */
const prompts: Readonly<Record<SiteProblemKind, (where: string) => string>> = {
  link: (where) => `Fix broken links${where}`,
  anchor: (where) => `Fix broken anchors${where}`,
  image: (where) => `Fix broken images${where}`,
  title: (where) => `Add missing titles${where}`,
  description: (where) => `Add missing descriptions${where}`,
  mdx: (where) => `Repair what does not compile${where || ' in the pages of the documentation'}`,
  front_matter: (where) => `Repair the front matter that cannot be read${where}`,
  navigation: (where) =>
    `The navigation has entries that lead to no page${where}: fix them, or take them out`,
  outside_navigation: (where) =>
    where === ''
      ? 'Some pages are missing from the navigation: add each of them where readers would look for it, and list those that should stay out'
      : `The navigation has no entry for the page${where}: add it where readers would look for it`,
  duplicate: (where) =>
    `Some pages repeat the title, the description or the address of another page${where}: give each its own, and say which pages could be one`,
  unreadable: (where) =>
    `Some files${where} are too long or too deeply nested to be read: split or simplify them without losing what they say`,
}

const builtinKinds: ReadonlySet<SiteProblemKind> = new Set([
  'link',
  'anchor',
  'image',
  'title',
  'description',
])

/** Whether the built-in model knows what to do about such problems. */
export function builtinFixes(kind: SiteProblemKind): boolean {
  return builtinKinds.has(kind)
}

/** Paths are texts of the repository: those that could say more than where a page is are not put into a prompt. */
function isPlainPath(path: string): boolean {
  return path.length <= 300 && /^[\p{L}\p{N}_./@()+[\]-]+$/u.test(path)
}

/** What to ask the agent for, about all pages or one of them; undefined where the page's path cannot be said. */
export function fixPrompt(kind: SiteProblemKind, path?: string): string | undefined {
  if (path === undefined) return prompts[kind]('')
  return isPlainPath(path) ? prompts[kind](` in ${path}`) : undefined
}
