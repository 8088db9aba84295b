import type { ReadFile } from '../files.ts'
import { docusaurusSite } from './docusaurus.ts'
import { markdownSite } from './markdown.ts'
import { mintlifySite } from './mintlify.ts'
import { mkdocsSite } from './mkdocs.ts'
import { fileName, folderOf } from '../text/paths.ts'
import type { Framework } from './site.ts'
import { starlightSite } from './starlight.ts'
import { vitepressSite } from './vitepress.ts'

interface Input {
  paths: ReadonlySet<string>
  /** Where the operator says the documentation is; `''` for anywhere. */
  root: string
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
}
const order = Object.keys(frameworks)
const notTheDocs =
  /(?:^|\/)(?:node_modules|examples?|fixtures?|tests?|__tests__|templates?|playground|e2e|demo|vendor|\.[^/]+)(?:\/|$)/i
const maxDepth = 3

/** The framework whose configuration is nearest to `root`: in it, above it, or else below it. */
export async function detectFramework(read: ReadFile, input: Input): Promise<Framework> {
  for (const { kind, base, config } of candidates(input)) {
    const found = await frameworks[kind](read, { paths: input.paths, base, config })
    // The site may have its pages in another folder than the one that was named.
    const about = [found?.root ?? '', base]
    if (found && about.some((folder) => folder.startsWith(input.root) || input.root.startsWith(found.root)))
      return found
  }
  return markdownSite(input)
}

function candidates({ paths, root }: Input): Candidate[] {
  const found = new Map<string, Candidate>()
  const starlights = new Set<string>()
  for (const path of paths) {
    const at = path.indexOf('src/content/docs/')
    if (at === 0 || path[at - 1] === '/') starlights.add(path.slice(0, at))
  }
  for (const path of paths) {
    const candidate = candidateOf(path, starlights)
    if (candidate && !found.has(`${candidate.kind} ${candidate.base}`))
      found.set(`${candidate.kind} ${candidate.base}`, candidate)
  }
  const depth = (folder: string) => folder.split('/').length
  const distance = ({ base }: Candidate): number | undefined => {
    if (root.startsWith(base)) return depth(root) - depth(base)
    if (!base.startsWith(root)) return undefined
    const inside = base.slice(root.length)
    if (depth(inside) - 1 > maxDepth || notTheDocs.test(inside)) return undefined
    // A configuration below the root comes after all above it. Of several translations, English is the original.
    return 100 + 2 * depth(inside) + (/(?:^|\/)en\/$/.test(inside) ? -1 : 0)
  }
  return [...found.values()]
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

function candidateOf(path: string, starlights: ReadonlySet<string>): Candidate | undefined {
  const file = fileName(path)
  const base = folderOf(path)
  if (file === 'docs.json' || file === 'mint.json') return { kind: 'mintlify', base, config: path }
  if (/^mkdocs\.ya?ml$/.test(file)) return { kind: 'mkdocs', base, config: path }
  if (/^docusaurus\.config\.(?:js|cjs|mjs|ts|cts|mts)$/.test(file))
    return { kind: 'docusaurus', base, config: path }
  if (/^astro\.config\.(?:js|cjs|mjs|ts|cts|mts)$/.test(file) && starlights.has(base))
    return { kind: 'starlight', base, config: path }
  const vitepress = /(?:^|\/)\.vitepress\//.exec(path)
  if (vitepress && /^config(?:\.[cm]?[jt]s|\/)/.test(path.slice(vitepress.index + vitepress[0].length))) {
    return { kind: 'vitepress', base: path.slice(0, path.indexOf('.vitepress/')), config: path }
  }
  return undefined
}
