import type { ReadFile } from '../files.ts'
import { antoraSite } from './antora/site.ts'
import { docusaurusSite } from './docusaurus/site.ts'
import { gitbookSite } from './gitbook/site.ts'
import { hugoBase, hugoSite } from './hugo/site.ts'
import { jekyllSite } from './jekyll/site.ts'
import { mdbookSite } from './mdbook/site.ts'
import { mystSite } from './myst/site.ts'
import { nuxtSite } from './nuxt/site.ts'
import { sphinxSite } from './sphinx/site.ts'
import { markdownSite } from './markdown/site.ts'
import { mintlifySite } from './mintlify/site.ts'
import { mkdocsSite } from './mkdocs/site.ts'
import { fileName, folderOf } from '../text/paths.ts'
import type { Found, Framework } from '../site.ts'
import { starlightSite } from './starlight/site.ts'
import { vitepressSite } from './vitepress/site.ts'

interface Input {
  paths: ReadonlySet<string>
  /** Where the operator says the documentation is; `''` for anywhere. */
  root: string
  dataOf: Found['dataOf']
}

interface Candidate {
  kind: keyof typeof frameworks
  base: string
  config: string
}

/** Of two configurations that are equally near, the first kind is taken. */
const frameworks = {
  mintlify: mintlifySite,
  docusaurus: docusaurusSite,
  vitepress: vitepressSite,
  starlight: starlightSite,
  mkdocs: mkdocsSite,
  hugo: hugoSite,
  mdbook: mdbookSite,
  sphinx: sphinxSite,
  myst: mystSite,
  jekyll: jekyllSite,
  nuxt: nuxtSite,
  antora: antoraSite,
  gitbook: gitbookSite,
}
const order = Object.keys(frameworks)
const notTheDocs =
  /(?:^|\/)(?:node_modules|examples?|fixtures?|tests?|__tests__|templates?|playground|e2e|demo|vendor|themes|exampleSite|\.[^/]+)(?:\/|$)/i
const maxDepth = 3

/** The framework whose configuration is nearest to `root`: in it, above it, below it, or else beside it. */
export async function detectFramework(read: ReadFile, input: Input): Promise<Framework> {
  for await (const match of matches(read, input)) return match
  return markdownSite(input)
}

/** Every site of a repository that has a folder of pages to itself; the one that is nearest to `root` first. */
export async function detectFrameworks(read: ReadFile, input: Input): Promise<Framework[]> {
  const sites: Framework[] = []
  for await (const match of matches(read, input)) {
    const isNested = sites.some(({ root }) => root.startsWith(match.root) || match.root.startsWith(root))
    if (!isNested) sites.push(match)
  }
  return sites
}

async function* matches(read: ReadFile, input: Input): AsyncGenerator<Framework> {
  const { paths, root, dataOf } = input
  for (const { kind, base, config } of candidates(input)) {
    const match = await frameworks[kind](read, { paths, base, config, dataOf })
    if (match === undefined) continue
    // The site may have its pages in another folder than the one that was named.
    const isAbout =
      [match.root, base].some((folder) => folder.startsWith(root)) || root.startsWith(match.root)
    if (isBeside(base, root) ? match.root !== '' && isAbout : isAbout) yield match
  }
}

/** Whether neither folder holds the other, as with `website/` and `docs/`. */
function isBeside(base: string, root: string): boolean {
  return !root.startsWith(base) && !base.startsWith(root)
}

function candidates({ paths, root }: Input): Candidate[] {
  const byKey = new Map<string, Candidate>()
  const starlights = foldersAbove(paths, 'src/content/docs/')
  const contents = foldersAbove(paths, 'content/')
  // Of several files of one site, the one that says most of it: `content.config` before `nuxt.config`.
  for (const path of [...paths].sort()) {
    const candidate = candidateOf(path, { starlights, contents, paths })
    if (candidate && !byKey.has(`${candidate.kind} ${candidate.base}`))
      byKey.set(`${candidate.kind} ${candidate.base}`, candidate)
  }
  const depth = (folder: string) => folder.split('/').length
  const distance = (candidate: Candidate): number | undefined => {
    const far = nearness(candidate)
    return far === undefined ? undefined : far + doubtOf(candidate)
  }
  const nearness = ({ base }: Candidate): number | undefined => {
    if (root.startsWith(base)) return depth(root) - depth(base)
    const beside = isBeside(base, root)
    const inside = beside ? base : base.slice(root.length)
    if (depth(inside) - 1 > maxDepth || notTheDocs.test(inside)) return undefined
    // A configuration below the root comes after all above it. Of several translations, English is the original.
    return (beside ? 200 : 100) + 2 * depth(inside) + (/(?:^|\/)en\/$/.test(inside) ? -1 : 0)
  }
  return [...byKey.values()]
    .flatMap((candidate) => {
      const far = distance(candidate)
      return far === undefined ? [] : [{ candidate, far }]
    })
    .sort(
      (left, right) =>
        left.far - right.far ||
        order.indexOf(left.candidate.kind) - order.indexOf(right.candidate.kind) ||
        (left.candidate.config < right.candidate.config ? -1 : 1),
    )
    .slice(0, 20)
    .map(({ candidate }) => candidate)
}

/** Files that tools leave behind or share with others count only where there is nothing better. */
function doubtOf({ config }: Candidate): number {
  const file = fileName(config)
  if (file === 'SUMMARY.md') return 2000
  return file.startsWith('.gitbook.') || /^_?config\./.test(file) ? 1000 : 0
}

/** The folders that hold this one. */
function foldersAbove(paths: ReadonlySet<string>, inner: string): Set<string> {
  const folders = new Set<string>()
  for (const path of paths) {
    const at = path.indexOf(inner)
    if (at === 0 || path[at - 1] === '/') folders.add(path.slice(0, at))
  }
  return folders
}

interface Known {
  starlights: ReadonlySet<string>
  contents: ReadonlySet<string>
  paths: ReadonlySet<string>
}

function candidateOf(path: string, { starlights, contents, paths }: Known): Candidate | undefined {
  const file = fileName(path)
  const base = folderOf(path)
  if (file === 'docs.json' || file === 'mint.json') return { kind: 'mintlify', base, config: path }
  if (/^mkdocs(?:[-_.]\w{1,50})?\.ya?ml$|^zensical\.toml$/.test(file))
    return { kind: 'mkdocs', base, config: path }
  if (/^docusaurus\.config\.(?:js|cjs|mjs|ts|cts|mts)$/.test(file))
    return { kind: 'docusaurus', base, config: path }
  if (/^astro\.config\.(?:js|cjs|mjs|ts|cts|mts)$/.test(file) && starlights.has(base))
    return { kind: 'starlight', base, config: path }
  const plain = plainConfigs.get(file)
  if (plain !== undefined) {
    const isToc = plain === 'jekyll' && paths.has(`${base}_toc.yml`)
    return { kind: isToc ? 'sphinx' : plain, base, config: isToc ? `${base}_toc.yml` : path }
  }
  const site = hugoBase(path)
  if (site !== undefined && (file.startsWith('hugo.') || contents.has(site)))
    return { kind: 'hugo', base: site, config: path }
  if (/^(?:content|nuxt)\.config\.(?:js|mjs|ts|mts)$/.test(file) && contents.has(base))
    return { kind: 'nuxt', base, config: path }
  if (file === '.navigation.yml') {
    const content = /(?:^|\/)content\//.exec(base)
    const numbered = base.search(/(?<![^/])\d+\./)
    const end = content === null ? numbered : content.index + content[0].length
    return { kind: 'nuxt', base: end === -1 ? base : base.slice(0, end), config: path }
  }
  const isBook = () => [base, folderOf(base.slice(0, -1))].some((folder) => paths.has(`${folder}book.toml`))
  if (file === 'SUMMARY.md' && !isBook()) return { kind: 'gitbook', base, config: path }
  const vitepress = /(?:^|\/)\.vitepress\//.exec(path)
  if (vitepress && /^config(?:\.[cm]?[jt]s|\/)/.test(path.slice(vitepress.index + vitepress[0].length))) {
    return { kind: 'vitepress', base: path.slice(0, path.indexOf('.vitepress/')), config: path }
  }
  return undefined
}

const plainConfigs: ReadonlyMap<string, Candidate['kind']> = new Map([
  ['book.toml', 'mdbook'],
  ['.gitbook.yaml', 'gitbook'],
  ['.gitbook.yml', 'gitbook'],
  ['_config.yml', 'jekyll'],
  ['_config.yaml', 'jekyll'],
  ['conf.py', 'sphinx'],
  ['_toc.yml', 'sphinx'],
  ['myst.yml', 'myst'],
  ['antora.yml', 'antora'],
])
