import type { SiteView } from '../../../site/checks/site-view.ts'
import { decodeText } from '../../../site/text/encoding.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { PageDialect } from './active-parts.ts'
import type { BaseSite } from './base-site.ts'

const page = /\.(?:md|markdown|mdown)$/i
/** Generators that run a template language over pages. */
const templated =
  /(?:^|\/)(?:_includes\/|(?:_config\.ya?ml|hugo\.(?:toml|ya?ml|json)|\.?eleventy(?:\.config)?\.[cm]?js)$)/
const macros = /\b(?:macros|jinja|markdownextradata|simple-hooks|table-reader|gen-files)\b/

/** The tree that a job started from, as the policy asks it. */
export async function openBaseSite(workspace: Workspace, base: SiteView): Promise<BaseSite> {
  const { framework, configPaths } = await base.site()
  const paths = [...base.oids().keys()]
  const templates = await templatesOf(framework)
  const isMdx = framework === 'docusaurus' || framework === 'mintlify'
  const either = framework === 'docusaurus' && (await namesFormat())
  return {
    configPaths,
    paths: [...new Set([...paths, ...workspace.list().map(({ path }) => path)])],
    pages: (await base.site()).pages.length,
    dialectOf: (path) => ({
      mdx: /\.mdx$/i.test(path) || (isMdx && page.test(path)),
      python: framework === 'mkdocs',
      vue: framework === 'vitepress' && page.test(path),
      templates,
      either: either && page.test(path),
    }),
    filesWith: async (text) => {
      const { matches } = await workspace.grepBase(text, {
        regex: false,
        ignoreCase: false,
        paths: [],
        limit: 60,
        limitPerFile: 3,
      })
      return [...new Set(matches.map(({ path }) => path))]
    },
    read: async (path) => workspace.readBase(path),
    begin: (path, content) => base.guard.begin('judge', path, workspace.idOf(content)),
  }

  /** Docusaurus reads Markdown as MDX unless its configuration says otherwise. */
  async function namesFormat(): Promise<boolean> {
    for (const path of paths
      .filter((one) => /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/.test(one))
      .slice(0, 20)) {
      const content = await workspace.readBase(path)
      if (content !== undefined && /\bformat\b/.test(decodeText(content)?.text ?? '')) return true
    }
    return false
  }

  async function templatesOf(framework: string): Promise<PageDialect['templates']> {
    if (framework === 'mkdocs') {
      for (const path of configPaths) {
        const content = base.oids().has(path) ? await workspace.readBase(path) : undefined
        if (content !== undefined && macros.test(decodeText(content)?.text ?? '')) return 'whole'
      }
      return 'none'
    }
    if (framework !== 'markdown') return 'none'
    return paths.some((path) => templated.test(path)) ? 'whole' : 'live'
  }
}
