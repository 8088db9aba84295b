import type { Dialect } from '../pages/dialect.ts'
import { anyHeading } from '../pages/heading-rules.ts'
import type { FrameworkName } from '../site.ts'

const plain: Dialect = {
  mdx: false,
  // A site without a framework may be built by anything.
  mdxSyntax: 'docs-mdx',
  python: false,
  vue: false,
  templates: 'live',
  slugs: 'github',
  headings: anyHeading,
}

/** How each framework reads a Markdown file, where neither its configuration nor the file's name say otherwise. */
export const dialects: Readonly<Record<FrameworkName, Dialect>> = {
  mintlify: {
    ...plain,
    mdx: true,
    react: true,
    slugs: 'mintlify',
    headings: {
      ownIds: 'braces',
      breaks: 'space',
      typography: 'print',
      footnotesId: 'footnote-label',
      deepest: 4,
    },
    templates: 'none',
    math: true,
    titles: true,
  },
  docusaurus: {
    ...plain,
    mdx: true,
    react: true,
    templates: 'none',
    hasHostTexts: true,
    headings: {
      ownIds: 'braces',
      alt: true,
      directives: 'anywhere',
      footnotesId: 'footnote-label',
      hasExpressions: true,
      leavesFirstOut: true,
    },
  },
  vitepress: {
    ...plain,
    mdxSyntax: undefined,
    vue: true,
    templates: 'none',
    slugs: 'vitepress',
    headings: { ownIds: 'loose-list', footnotes: 'mark', leavesEmojiOut: true, hasEntities: true },
  },
  starlight: {
    ...plain,
    mdxSyntax: 'directive-mdx',
    templates: 'none',
    headings: {
      ownIds: 'none',
      footnotes: 'number',
      footnotesId: 'footnote-label',
      typography: 'dashes',
      hasExpressions: true,
    },
  },
  mkdocs: {
    ...plain,
    mdxSyntax: undefined,
    python: true,
    htmlIsWhole: true,
    lastDefinitions: true,
    templates: 'none',
    slugs: 'python',
    headings: { ownIds: 'loose-list', lines: 'python' },
  },
  hugo: {
    ...plain,
    templates: 'shortcodes',
    slugs: 'hugo',
    headings: { ownIds: 'list', alt: true, typography: 'dashes', breaks: 'last' },
  },
  jekyll: {
    ...plain,
    templates: 'whole',
    htmlIsWhole: true,
    lastDefinitions: true,
    slugs: 'kramdown-gfm',
    headings: { ownIds: 'kramdown', lines: 'kramdown', typography: 'dashes', hasTemplates: true },
  },
  gitbook: { ...plain, templates: 'whole' },
  nuxt: {
    ...plain,
    slugs: 'nuxt',
    headings: {
      ownIds: 'none',
      footnotes: 'number',
      footnotesId: 'footnote-label',
      directives: 'words',
      slugsHtml: true,
    },
  },
  mdbook: {
    ...plain,
    slugs: 'mdbook',
    headings: { ownIds: 'loose-list', footnotes: 'number', typography: 'dashes', breaks: 'space' },
  },
  // MyST finds headings by GitHub's ids as well, in links alone, where the configuration says so.
  sphinx: {
    ...plain,
    slugs: 'myst',
    pageIds: 'docutils',
    hasMystDirectives: true,
    headings: { ownIds: 'none', breaks: 'space', footnotes: 'number', hasRoles: true, namedTo: 0 },
  },
  myst: {
    ...plain,
    hasMystDirectives: true,
    slugs: 'mystmd',
    headings: {
      ownIds: 'none',
      breaks: 'space',
      hasRoles: true,
      labelsAreIds: true,
      leavesCitationsOut: true,
    },
  },
  antora: plain,
  markdown: plain,
}

/** Of pages in reStructuredText, which are printed as Markdown: their ids stand in it. */
export const restructuredDialect: Dialect = {
  ...plain,
  mdxSyntax: undefined,
  templates: 'none',
  headings: { ownIds: 'braces' },
  markup: 'restructured',
}

/** Of pages in AsciiDoc, which are printed as Markdown as well. */
export const asciidocDialect: Dialect = { ...restructuredDialect, markup: 'asciidoc' }
/** Where the form of ids may be set elsewhere: in a playbook of another repository, or by who shows the file. */
export const openAsciidocDialect: Dialect = { ...asciidocDialect, hasOwnSlugs: true }

/** Whether all pages of a framework are MDX, whatever the ending of their names. */
export function readsAllAsMdx(framework: string | null | undefined): boolean {
  return Object.entries(dialects).some(([name, { mdx }]) => name === framework && mdx)
}
