import { anyGlob, isGlob } from '../../../site/text/glob.ts'
import { readText } from '../../../site/text/encoding.ts'
import { contentHash } from '../../../site/text/content-hash.ts'
import type { BaseSite, Violation } from './parts/text-parts.ts'
import type { FileDifference, Workspace } from '../workspace/workspace.ts'
import { mintlifyViolations } from './guarded-configuration.ts'
import { dataFileParts, frontMatterParts } from './parts/data-parts.ts'
import type { SiteView } from '../../../site/checks/site-view.ts'
import { findSecrets } from './find-secrets.ts'
import { embeddingParts, fileTest, includeParts, markupParts } from './parts/markup-parts.ts'
import { readScripts } from './parts/code-parts.ts'
import { type Given, pageParts, readingOf } from './parts/page-parts.ts'
import { type Part, hiddenParts, tooComplex } from './parts/text-parts.ts'

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
  const known = new Set(changes.flatMap(({ before }) => readText(before).split(/\r?\n/)))
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
    const lines = readText(after)
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
    // Either of them ends a line in Markdown and YAML.
    const text = readText(content).replaceAll(/\r\n?/g, '\n')
    const dialect = site.dialectOf(path)
    const scripts = dialect.vue ? await readScripts(text) : undefined
    const parts = fileParts(path, text, { dialect, isFile, ...(scripts && { scripts }) })
    if (at === undefined) return parts
    const embedded = await embeddingParts(text, site.paths, async (one) =>
      readText(at === 'after' && contents.has(one) ? contents.get(one) : await site.read(one)),
    )
    return [...parts, ...embedded]
  }
  const known = new Set<string>()
  const learn = (path: string, { key, also = [] }: Part): void => {
    for (const one of [key, ...also.map((other) => other.key)]) known.add(nameOf(path, one))
  }
  const violations: Violation[] = []
  const complex = (path: string): void => {
    const message = 'It takes too long to judge what it does: make it shorter or less nested'
    violations.push({ code: 'complex', path, message })
  }
  for (const { path, before } of changes)
    for (const part of await read(path, before, 'before'))
      if (part.what === tooComplex) complex(path)
      else learn(path, part)
  const searched = new Set<string>()
  const opened = new Set<string>()
  const isKnown = async (path: string, part: Part): Promise<boolean> => {
    if (part.approval !== undefined && site.allows?.(part.approval) === true) return true
    const ways = [part, ...(part.also ?? [])]
    const has = () => ways.some(({ key }) => [path, 'page.md'].some((one) => known.has(nameOf(one, key))))
    if (has()) return true
    for (const { key, search } of ways) {
      if (search.trim().length < 3 || searched.has(search) || searched.size >= maxSearches) continue
      searched.add(search)
      const candidates = await site.filesWith(search)
      // The same text in a file of another kind is another part.
      const files = candidates.filter(
        (file) =>
          !opened.has(file) && [path, 'page.md'].some((one) => nameOf(one, key) === nameOf(file, key)),
      )
      for (const file of files.slice(0, maxRead)) {
        opened.add(file)
        for (const one of await read(file, await site.read(file))) learn(file, one)
        if (has()) return true
      }
    }
    return false
  }
  for (const { path, after } of changes) {
    const reported = new Set<string>()
    for (const part of await read(path, after, 'after')) {
      if (part.isBound === true) continue
      if (part.what === tooComplex) {
        complex(path)
        continue
      }
      const name = nameOf(path, part.key)
      if (reported.has(name) || (await isKnown(path, part))) continue
      reported.add(name)
      // What is told must not tell a secret.
      const isSecret = findSecrets([{ text: part.what, line: 1 }]).length > 0
      const what = isSecret ? 'something that may act, with what looks like a secret in it' : part.what
      const message = `It would add ${what}. Write it in plain Markdown, show it as code, or leave it to a person: only what stands in this site already is taken over`
      const { line, approval } = part
      violations.push({ code: 'active', path, line, message, ...(approval && { approval }) })
    }
  }
  return violations
}

/** Everything in a file that is not known to be inert when the site is built or read. */
function fileParts(path: string, text: string, of: Omit<Given, 'path'>): Part[] {
  if (program.test(path)) return []
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
  { dialect, isFile, scripts }: Omit<Given, 'path'>,
): Part[] {
  const parts = includeParts(text, isFile)
  if (/\.(?:rst|adoc)$/i.test(path)) return [...parts, ...markupParts(path, text)]
  const front = frontMatterParts(text, readingOf({ path, dialect: { ...dialect, mdx: false }, isFile }))
  parts.push(...front.parts)
  const body = text.slice(0, front.end).replaceAll(/[^\n]/g, ' ') + text.slice(front.end)
  const dialects = [dialect]
  if (dialect.mdx && (dialect.either === true || front.isMarkdown)) dialects.push({ ...dialect, mdx: false })
  for (const one of dialects)
    parts.push(...pageParts(body, { path, dialect: one, isFile, ...(scripts && { scripts }) }))
  return parts
}

/** What a part is known by: it is something else in a file of another kind. Hosts are the same anywhere. */
function nameOf(path: string, key: string): string {
  const kind = page.test(path) ? 'page' : data.test(path) ? 'data' : 'text'
  return `${/^(?:image|frame) /.test(key) ? 'any' : kind} ${key}`
}

const markdown = /\.(?:md|markdown|mdown)$/i
/** Generators that run a template language over pages. */
const templated =
  /(?:^|\/)(?:_includes\/|(?:_config\.ya?ml|hugo\.(?:toml|ya?ml|json)|\.?eleventy(?:\.config)?\.[cm]?js)$)/

/** What a project allows its pages beyond what they have: hosts with those below `*.`, and modules or globs of them. */
export function allowanceOf({
  allowedHosts,
  allowedImports,
}: {
  allowedHosts: readonly string[]
  allowedImports: readonly string[]
}): NonNullable<BaseSite['allows']> {
  const hosts = allowedHosts.map((host) => host.toLowerCase())
  const globs = anyGlob(allowedImports.filter(isGlob))
  return ({ kind, value }) =>
    kind === 'host'
      ? hosts.some((host) => (host.startsWith('*.') ? value.endsWith(host.slice(1)) : value === host))
      : allowedImports.includes(value) || (!/^[a-z][a-z\d+.-]*:|^\/\//i.test(value) && globs(value))
}

/** The tree that a job started from, as the policy asks it. */
export async function openBaseSite(
  workspace: Workspace,
  base: SiteView,
  allows?: BaseSite['allows'],
): Promise<BaseSite> {
  const site = await base.site()
  const paths = [...base.oids().keys()]
  const readBase = async (path: string) =>
    base.oids().has(path) ? readText(await workspace.readBase(path)) : undefined
  const configured = await site.configuredDialect?.({ read: readBase, paths: new Set(paths) })
  let isTemplated: boolean | undefined
  return {
    configPaths: site.configPaths,
    paths: [...new Set([...paths, ...workspace.list().map(({ path }) => path)])],
    pages: site.pages.length,
    dialectOf: (path) => {
      const { mdx, vue, templates, hasHostTexts, ...dialect } = { ...site.dialectOf(path), ...configured }
      const isMarkdown = markdown.test(path)
      if (templates === 'live') isTemplated ??= paths.some((one) => templated.test(one))
      return {
        ...dialect,
        mdx: /\.mdx$/i.test(path) || (mdx && isMarkdown && (hasHostTexts !== true || path.includes('/'))),
        vue: vue && isMarkdown,
        templates: templates === 'live' && isTemplated === true ? 'whole' : templates,
        either: dialect.either === true && isMarkdown,
      }
    },
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
    ...(allows && { allows }),
  }
}
