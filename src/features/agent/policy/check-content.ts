import { decodeText } from '../../../site/text/encoding.ts'
import { contentHash } from '../../../site/text/content-hash.ts'
import type { BaseSite, Violation } from './text-parts.ts'
import type { FileDifference, Workspace } from '../workspace/workspace.ts'
import { mintlifyViolations } from './protected-files.ts'
import { dataFileParts, frontMatterParts } from './data-parts.ts'
import type { SiteView } from '../../../site/checks/site-view.ts'
import { findSecrets } from './find-secrets.ts'
import { embeddingParts, fileTest, includeParts, markupParts } from './markup-parts.ts'
import { pageParts, readingOf } from './page-parts.ts'
import { type PageDialect, type Part, hiddenParts, tooComplex } from './text-parts.ts'

const maxSearches = 100
const maxRead = 12
const maxParts = 20_000
const page = /\.(?:md|mdx|markdown|mdown|rst|adoc)$/i
const data = /\.(?:jsonc?|ya?ml|toml)$/i
/** Files that are code as a whole: a project that allows its agent to write them allows what they do. */
const program =
  /\.(?:css|scss|sass|less|styl|[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|php|c|h|cpp|cs|sh|bash|zsh|ps1|sql|graphql|gql|proto|lua|r|pl|ini|cfg|conf|properties)$/i

/** Secrets, and everything that is not known to be inert, as far as a diff adds it. */
export async function checkContent(changes: readonly FileDifference[], site: BaseSite): Promise<Violation[]> {
  return [
    ...secretViolations(changes, site),
    ...(await mintlifyViolations(changes, site)),
    ...(await activeViolations(changes, site)),
  ]
}

function secretViolations(changes: readonly FileDifference[], { begin }: BaseSite): Violation[] {
  const known = new Set(changes.flatMap(({ before }) => textOf(before).split(/\r?\n/)))
  return changes.flatMap(({ path, before, after }) => {
    if (before === undefined && findSecrets([{ text: path, line: 1 }]).length > 0)
      return [
        {
          code: 'secret' as const,
          path: '',
          message: 'The name of a new file holds what looks like a secret',
        },
      ]
    if (after !== undefined) begin?.(path, after)
    const lines = textOf(after)
      .split(/\r?\n/)
      .map((text, index) => ({ text, line: index + 1 }))
    return findSecrets(lines, ({ text }) => !known.has(text)).map(({ kind, line }) => ({
      code: 'secret' as const,
      path,
      line,
      message: `It would add what looks like a secret (${kind}): use a placeholder such as YOUR_KEY`,
    }))
  })
}

/** What is not inert in the changed files has to stand in the base in the same form, in a file of the same kind. */
async function activeViolations(changes: readonly FileDifference[], site: BaseSite): Promise<Violation[]> {
  const isFile = fileTest(site.paths)
  const contents = new Map(changes.map(({ path, after }) => [path, after]))
  const read = async (
    path: string,
    content: Uint8Array | undefined,
    at?: 'before' | 'after',
  ): Promise<Part[]> => {
    if (content === undefined || site.begin?.(path, content) === false) return []
    const text = textOf(content)
    const parts = fileParts(path, text, { dialect: site.dialectOf(path), isFile })
    if (at === undefined) return parts
    const embedded = await embeddingParts(text, site.paths, async (one) =>
      textOf(at === 'after' && contents.has(one) ? contents.get(one) : await site.read(one)),
    )
    return [...parts, ...embedded]
  }
  const known = new Set<string>()
  const violations: Violation[] = []
  const complex = (path: string): void => {
    const message = 'It takes too long to judge what it does: make it shorter or less nested'
    violations.push({ code: 'complex', path, message })
  }
  for (const { path, before } of changes)
    for (const part of await read(path, before, 'before'))
      if (part.what === tooComplex) complex(path)
      else known.add(nameOf(path, part))
  const searched = new Set<string>()
  const opened = new Set<string>()
  const isKnown = async (path: string, part: Part): Promise<boolean> => {
    const has = () => [path, 'page.md'].some((one) => known.has(nameOf(one, part)))
    const { search } = part
    if (has()) return true
    if (search.trim().length < 3 || searched.has(search) || searched.size >= maxSearches) return false
    searched.add(search)
    const files = (await site.filesWith(search)).filter((file) => !opened.has(file)).slice(0, maxRead)
    for (const file of files) {
      opened.add(file)
      for (const one of await read(file, await site.read(file))) known.add(nameOf(file, one))
      if (has()) return true
    }
    return false
  }
  for (const { path, after } of changes) {
    const told = new Set<string>()
    for (const part of await read(path, after, 'after')) {
      if (part.what === tooComplex) {
        complex(path)
        continue
      }
      const name = nameOf(path, part)
      if (told.has(name) || (await isKnown(path, part))) continue
      told.add(name)
      // What is told must not tell a secret.
      const isSecret = findSecrets([{ text: part.what, line: 1 }]).length > 0
      const what = isSecret ? 'something that may act, with what looks like a secret in it' : part.what
      const message = `It would add ${what}. Write it in plain Markdown, show it as code, or leave it to a person: only what stands in this site already is taken over`
      violations.push({ code: 'active', path, line: part.line, message })
    }
  }
  return violations
}

/** Everything in a file that is not known to be inert when the site is built or read. */
function fileParts(
  path: string,
  given: string,
  of: { dialect: PageDialect; isFile: (path: string) => boolean },
): Part[] {
  if (program.test(path)) return []
  // Either of them ends a line in Markdown and YAML.
  const text = given.replaceAll(/\r\n?/g, '\n')
  const parts = [
    ...hiddenParts(text),
    ...(data.test(path)
      ? dataFileParts(path, text, readingOf({ ...of, path }))
      : textFileParts(path, text, of)),
  ]
  if (parts.length <= maxParts) return parts.toSorted((one, other) => one.line - other.line)
  // Never the same for another text, so that no base knows it.
  return [
    {
      key: `much ${contentHash(Buffer.from(text))}`,
      line: 1,
      what: 'more markup and code than can be judged',
      search: '',
    },
  ]
}

function textFileParts(
  path: string,
  text: string,
  { dialect, isFile }: { dialect: PageDialect; isFile: (path: string) => boolean },
): Part[] {
  const parts = includeParts(text, isFile)
  if (/\.(?:rst|adoc)$/i.test(path)) return [...parts, ...markupParts(path, text)]
  const front = frontMatterParts(text, readingOf({ path, dialect: { ...dialect, mdx: false }, isFile }))
  parts.push(...front.parts)
  const body = text.slice(0, front.end).replaceAll(/[^\n]/g, ' ') + text.slice(front.end)
  const dialects = [dialect]
  if (dialect.mdx && (dialect.either === true || front.isMarkdown)) dialects.push({ ...dialect, mdx: false })
  for (const one of dialects) parts.push(...pageParts(body, { path, dialect: one, isFile }))
  return parts
}

/** What a part is known by: it is something else in a file of another kind. Hosts are the same anywhere. */
function nameOf(path: string, { key }: Part): string {
  const kind = page.test(path) ? 'page' : data.test(path) ? 'data' : 'text'
  return `${/^(?:image|frame) /.test(key) ? 'any' : kind} ${key}`
}

function textOf(content: Uint8Array | undefined): string {
  return content === undefined ? '' : (decodeText(content)?.text ?? '')
}

const markdown = /\.(?:md|markdown|mdown)$/i
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
  // Docusaurus reads Markdown as MDX unless its configuration says otherwise.
  const either = framework === 'docusaurus' && (await isConfigured(/\bformat\b/))
  const math =
    framework === 'mintlify' || (framework === 'docusaurus' && (await isConfigured(/\bremark-?math\b/i)))
  return {
    configPaths,
    paths: [...new Set([...paths, ...workspace.list().map(({ path }) => path)])],
    pages: (await base.site()).pages.length,
    dialectOf: (path) => ({
      mdx: /\.mdx$/i.test(path) || (isMdx && markdown.test(path)),
      python: framework === 'mkdocs',
      vue: framework === 'vitepress' && markdown.test(path),
      templates,
      math,
      either: either && markdown.test(path),
      titles: framework === 'mintlify',
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

  /** Whether the code configuration of Docusaurus names something. */
  async function isConfigured(name: RegExp): Promise<boolean> {
    for (const path of paths
      .filter((one) => /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/.test(one))
      .slice(0, 20)) {
      const content = await workspace.readBase(path)
      if (content !== undefined && name.test(decodeText(content)?.text ?? '')) return true
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
    if (['mintlify', 'docusaurus', 'vitepress', 'starlight'].includes(framework)) return 'none'
    if (['gitbook', 'hugo', 'jekyll'].includes(framework)) return 'whole'
    return paths.some((path) => templated.test(path)) ? 'whole' : 'live'
  }
}
