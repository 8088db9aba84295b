import type { Dialect } from '../pages/dialect.ts'
import type { FrameworkName } from '../site.ts'

const plain: Dialect = {
  mdx: false,
  // A site without a framework may be built by anything.
  mdxSyntax: 'docs-mdx',
  python: false,
  vue: false,
  templates: 'live',
  slugs: 'github',
}

/** How each framework reads a Markdown file, where neither its configuration nor the file's name say otherwise. */
export const dialects: Readonly<Record<FrameworkName, Dialect>> = {
  mintlify: { ...plain, mdx: true, react: true, slugs: 'mintlify', templates: 'none', math: true, titles: true },
  docusaurus: { ...plain, mdx: true, react: true, templates: 'none', hasHostTexts: true, hasAltInIds: true },
  vitepress: { ...plain, mdxSyntax: undefined, vue: true, templates: 'none', slugs: 'vitepress' },
  starlight: { ...plain, mdxSyntax: 'directive-mdx', templates: 'none', hasNoOwnIds: true },
  mkdocs: {
    ...plain,
    mdxSyntax: undefined,
    python: true,
    templates: 'none',
    slugs: 'python',
    htmlIsWhole: true,
    lastDefinitions: true,
  },
  hugo: { ...plain, templates: 'shortcodes', hasAltInIds: true },
  jekyll: { ...plain, templates: 'whole', htmlIsWhole: true, lastDefinitions: true },
  gitbook: { ...plain, templates: 'whole' },
  nuxt: { ...plain, slugs: 'nuxt' },
  mdbook: plain,
  // MyST finds headings by GitHub's ids as well, in links alone.
  sphinx: { ...plain, pageIds: 'docutils', hasNoOwnIds: true, hasMystDirectives: true },
  myst: { ...plain, hasMystDirectives: true },
  antora: plain,
  markdown: plain,
}

/** Whether all pages of a framework are MDX, whatever the ending of their names. */
export function readsAllAsMdx(framework: string | null | undefined): boolean {
  return Object.entries(dialects).some(([name, { mdx }]) => name === framework && mdx)
}
