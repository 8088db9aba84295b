import type { ReadFile } from '../files.ts'
import { detectFramework } from './detect.ts'
import { linkResolver } from '../links/link-resolver.ts'
import { linkWriter } from '../links/link-writer.ts'
import { madeFiles } from './made-files.ts'
import { folderPath, isMarkdown } from '../links/page-path.ts'
import type { Site, SitePage } from './site.ts'

/**
 * The documentation site of a repository. `root` is the content folder that the operator named, `''` for none;
 * `urls` are addresses that the front matter of pages sets, which is not read here.
 */
export async function createSite(
  read: ReadFile,
  input: { paths: Iterable<string>; root: string; urls?: ReadonlyMap<string, string> },
): Promise<Site> {
  const paths = new Set(input.paths)
  const given = folderPath(input.root)
  const framework = await detectFramework(read, { paths, root: given })
  const inRoot = (path: string) => path.startsWith(given) || !given.startsWith(framework.root)
  const fileUrl = (path: string) =>
    `/${path.startsWith(framework.root) ? path.slice(framework.root.length) : path}`

  const members = new Map<string, string>()
  for (const path of [...paths].sort()) {
    if (!isMarkdown(path, '') || !inRoot(path)) continue
    const page = framework.pageFor(path, {})
    if (page) members.set(path, input.urls?.get(path) ?? page.url)
  }
  const claims = new Map<string, string[]>()
  for (const [path, url] of members) {
    const sharing = claims.get(url)
    if (sharing) sharing.push(path)
    else claims.set(url, [path])
  }
  const moved = new Map<string, string>()
  const collisions: { url: string; paths: string[] }[] = []
  for (const [url, sharing] of claims) {
    if (sharing.length < 2) continue
    sharing.sort(
      (left, right) =>
        rank(left, framework.navigation) - rank(right, framework.navigation) || (left < right ? -1 : 1),
    )
    collisions.push({ url, paths: sharing })
    for (const path of sharing.slice(1)) moved.set(path, fileUrl(path))
  }
  const urlOf = (path: string) => moved.get(path) ?? members.get(path) ?? framework.pageFor(path, {})?.url
  const pageFor = (
    path: string,
    frontMatter: Readonly<Record<string, unknown>> = {},
  ): SitePage | undefined => {
    if (!inRoot(path)) return undefined
    const page = framework.pageFor(path, frontMatter)
    const other = moved.get(path)
    return page && other !== undefined ? { ...page, url: other } : page
  }
  const listed = [...framework.navigation.keys()].filter((path) => members.has(path))
  return {
    framework: framework.name,
    root: framework.root,
    configPaths: framework.configPaths,
    pages: [...new Set([...listed, ...members.keys()])],
    collisions,
    redirects: framework.redirects,
    ...(framework.code === undefined ? {} : { code: framework.code }),
    navigationFiles: framework.navigationFiles ?? [],
    pageFor,
    fileUrl,
    dialectOf: framework.dialectOf,
    resolveLink: linkResolver({
      framework,
      paths,
      members,
      urlOf,
      isMade: await madeFiles(read, { paths, root: framework.root }),
    }),
    linkTo: linkWriter({ framework, urlOf }),
  }
}

/** Of several files with one address, the page in the navigation keeps it, then an index file, then a README. */
function rank(path: string, navigation: ReadonlyMap<string, unknown>): number {
  if (navigation.has(path)) return 0
  if (/(?:^|\/)index\.[^/]+$/i.test(path)) return 1
  return /(?:^|\/)readme\.[^/]+$/i.test(path) ? 3 : 2
}
