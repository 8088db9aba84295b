import { plainAsciidoc } from '../../asciidoc/settings.ts'
import { isMarkdown, isPartial, isVisible, withoutExtension } from '../../links/page-path.ts'
import { folderWords } from '../../navigation/arrange-folders.ts'
import { openAsciidocDialect, dialects } from '../dialects.ts'
import { markupOf } from '../../text/markup.ts'
import { folderOf, relativePath } from '../../text/paths.ts'
import type { Framework } from '../../site.ts'

const projectFile =
  /^(?:LICENSE|LICENCE|CODE_OF_CONDUCT|CONTRIBUTORS|AUTHORS|PULL_REQUEST_TEMPLATE|ISSUE_TEMPLATE|CLAUDE|AGENTS|SECURITY|THIRD[_-]?PARTY.*)\.(?:md|mdx)$/i

function isAsciidoc(path: string, root: string): boolean {
  return markupOf(path) === 'asciidoc' && isVisible(path, root) && !/(?:^|\/)_[^/]*$/.test(path)
}

/** Files in Markdown and AsciiDoc that no framework claims: a folder's README or index is the folder's page. */
export function markdownSite(input: { paths: ReadonlySet<string>; root: string }): Framework {
  const { root } = input
  return {
    name: 'markdown',
    root,
    configPaths: [],
    navigation: new Map(),
    folders: {
      orderOf: () => undefined,
      folderAt: (_, name) => ({ label: folderWords(name) }),
      isOwn: (path) => /(?:^|\/)(?:_?index|readme)\.[^/]+$/i.test(path),
    },
    redirects: new Map(),
    asciidoc: plainAsciidoc,
    dialectOf: (path) =>
      markupOf(path) === 'asciidoc'
        ? openAsciidocDialect
        : { ...dialects.markdown, mdx: path.toLowerCase().endsWith('.mdx') },
    pageFor: (path, data) => {
      // Without its configuration, a site of Hugo still has its folders' pages.
      const isFolder = /(?:^|\/)_index\.md$/.test(path)
      if ((!isMarkdown(path, root) || (isPartial(path) && !isFolder)) && !isAsciidoc(path, root))
        return undefined
      const inside = path.slice(root.length)
      if (projectFile.test(inside)) return undefined
      // Files that pages include are no pages of their own.
      if (/(?:^|\/)(?:includes?|_includes|partials?|snippets)\//i.test(inside)) return undefined
      return {
        url: `/${withoutExtension(inside).replace(/(?:^|(?<=\/))(?:_?index|readme)$/i, '')}`,
        language: undefined,
        version: undefined,
        navTitle: undefined,
        inNavigation: true,
        hidden: data['draft'] === true || data['hidden'] === true,
      }
    },
    customs: { hasUnknownTop: true },
    links: {
      forms: ['resource'],
      resource: (from, name, family) =>
        family !== undefined || name.endsWith('.adoc') ? plainAsciidoc.fileOf(from, name, 'page') : from,
      resourceTo: (from, to, like) => relativePath(folderOf(from), to, like.target.startsWith('./')),
      // Such a link is meant for another site that shows these files, and whose addresses are unknown.
      elsewhere: () => true,
      relativeTo: 'file',
      assetRoots: [root, ''],
      // Git hosts resolve such a link from the top of the repository.
      prefixes: root === '' ? [] : [`/${root.slice(0, -1)}`],
      contentFolders: () => [root],
      untranslated: () => undefined,
      mayExist: () => false,
    },
  }
}
