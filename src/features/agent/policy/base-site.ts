import { includeForms } from '../../../site/frameworks/include-forms.ts'
import { shippedParts } from '../../../site/frameworks/shipped-parts.ts'
import type { SiteView } from '../../../site/checks/site-view.ts'
import type { PageDialect } from '../../../site/pages/dialect.ts'
import { anyGlob, isGlob } from '../../../site/text/glob.ts'
import { contentHash } from '../../../site/text/content-hash.ts'
import { readText } from '../../../site/text/encoding.ts'
import type { ApprovalColumn } from '../../../store/columns.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { placesIn } from './addresses.ts'
import { findSecrets } from './find-secrets.ts'
import { KnownParts, shortName } from './known-parts.ts'
import { commandParts } from './parts/command-parts.ts'
import { fileParts, kindOf, nameOf } from './parts/file-parts.ts'
import { fileFinder } from './parts/include-parts.ts'
import type { Given } from './parts/page-parts.ts'

/** The tree that a job started from, as the policy asks it. */
export interface BaseSite {
  /** How many pages the site had. */
  pages: number
  paths: readonly string[]
  /** What is known of the site before a page of it is read. */
  readingOf(path: string): Omit<Given, 'path' | 'scripts'>
  read(path: string): Promise<Uint8Array | undefined>
  readSome?: (paths: readonly string[]) => Promise<(Uint8Array | undefined)[]>
  /** Names a file before its text is judged; false for one that took too long before. */
  begin?: (path: string, content: Uint8Array) => boolean
  /** The names of a file's parts, where they were found before. */
  remembered?: (path: string) => readonly string[] | undefined
  remember?: (path: string, names: readonly string[]) => void
  /** The site's own configuration. */
  configPaths?: readonly string[]
  /** What the project or a person has allowed beyond what the site has. */
  allows?: (approval: ApprovalColumn) => boolean
  /** What is to be looked at is held as well. */
  isStrict?: boolean
}

/** Files of text that sites and their repositories name hosts in, or have parts in. */
const readFiles = /\.(?:md|mdx|markdown|mdown|rst|adoc|txt|jsonc?|ya?ml|toml)$/i
const opened = new WeakMap<BaseSite, KnownParts>()

/** The parts of all files of the base. */
export function knownParts(site: BaseSite): KnownParts {
  const known = opened.get(site)
  if (known !== undefined) return known
  const parts = new KnownParts(
    site.paths.filter((path) => readFiles.test(path)),
    {
      readSome: async (paths) => site.readSome?.(paths) ?? Promise.all(paths.map((path) => site.read(path))),
      namesIn: async (path, content) => {
        const names = await namesIn(path, content, site)
        site.remember?.(path, names)
        return names
      },
      remembered: (path) => site.remembered?.(path),
      kindOf,
      textOf: readText,
    },
  )
  opened.set(site, parts)
  return parts
}

async function namesIn(path: string, content: Uint8Array, site: BaseSite): Promise<string[]> {
  if (site.begin?.(path, content) === false) return []
  const parts = [
    ...(await fileParts(path, content, site.readingOf(path))),
    ...commandParts(readText(content)),
  ]
  const keys = parts.flatMap(({ key, also = [] }) => [key, ...also])
  const hosts = [...placesIn(readText(content))].map((host) => `host ${host}`)
  const secrets = secretNames(readText(content))
  return [...new Set([...keys, ...hosts, ...secrets].map((key) => shortName(nameOf(path, key))))]
}

/** Lines that look like secrets, by their content alone. */
function secretNames(text: string): string[] {
  const lines = text.split(/\r?\n/).map((one, index) => ({ text: one, line: index + 1 }))
  return findSecrets(lines).map(({ line }) => secretName(lines[line - 1]?.text ?? ''))
}

/** What a line with a secret is known by. */
export function secretName(line: string): string {
  return `secret ${contentHash(Buffer.from(line.trim()))}`
}

const markdown = /\.(?:md|markdown|mdown)$/i
/** Generators that run a template language over pages. */
const templated =
  /(?:^|\/)(?:_includes\/|(?:_config\.ya?ml|hugo\.(?:toml|ya?ml|json)|\.?eleventy(?:\.config)?\.[cm]?js)$)/

/** What a project allows its pages beyond what they have: hosts with those below `*.`, modules or globs of them, and parts. */
export function allowanceOf({
  allowedHosts,
  allowedImports,
  allowedParts,
}: {
  allowedHosts: readonly string[]
  allowedImports: readonly string[]
  allowedParts: readonly string[]
}): NonNullable<BaseSite['allows']> {
  const hosts = allowedHosts.map((host) => host.toLowerCase())
  const globs = anyGlob(allowedImports.filter(isGlob))
  return ({ kind, value }) => {
    if (kind === 'part') return allowedParts.includes(value)
    return kind === 'host'
      ? hosts.some((host) => (host.startsWith('*.') ? value.endsWith(host.slice(1)) : value === host))
      : allowedImports.includes(value) || (!/^[a-z][a-z\d+.-]*:|^\/\//i.test(value) && globs(value))
  }
}

/** The tree that a job started from, as the policy asks it. */
export async function openBaseSite(
  workspace: Workspace,
  base: SiteView,
  options: Pick<BaseSite, 'allows' | 'isStrict'> = {},
): Promise<BaseSite> {
  const site = await base.site()
  const paths = [...base.oids().keys()]
  const readBase = async (path: string) =>
    base.oids().has(path) ? readText(await workspace.readBase(path)) : undefined
  const configured = await site.configuredDialect?.({ read: readBase, paths: new Set(paths) })
  let isTemplated: boolean | undefined
  const dialectOf = (path: string): PageDialect => {
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
  }
  // The same text has other parts where another site reads it.
  const readAs = (path: string): string => `parts ${site.framework} ${JSON.stringify(dialectOf(path))}`
  const shipped = shippedParts(site.framework)
  const names = {
    component: new Set(shipped.flatMap(({ components = [] }) => components)),
    directive: new Set(shipped.flatMap(({ directives = [] }) => directives)),
    role: new Set(shipped.flatMap(({ roles = [] }) => roles)),
    call: new Set(shipped.flatMap(({ calls = [] }) => calls)),
  }
  const values = new Set(configured?.values)
  const findFile = fileFinder({
    paths,
    folders: (await includeForms[site.framework]?.folders?.('8<-', site, readBase)) ?? [],
    below: shipped.flatMap(({ includeFolders = [] }) => includeFolders),
    read: (given) =>
      shipped.map(({ includedPath }) => includedPath?.(given)).find((path) => path !== undefined),
  })
  return {
    ...options,
    configPaths: site.configPaths,
    paths,
    pages: site.pages.length,
    readingOf: (path) => ({
      dialect: dialectOf(path),
      ships: (kind, name) => names[kind].has(name) || (kind === 'call' && values.has(name)),
      findFile,
    }),
    read: async (path) => workspace.readBase(path),
    readSome: async (some) => (some.length === 0 ? [] : base.files.readSome(some)),
    begin: (path, content) => base.guard.begin('judge', path, workspace.idOf(content)),
    remembered: (path) => base.remembered(path, readAs(path)),
    remember: (path, found) => {
      base.remember(path, readAs(path), found)
    },
  }
}
