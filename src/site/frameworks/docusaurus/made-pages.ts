import type { ReadFile } from '../../files.ts'

const mostFiles = 500

/** Parts of Docusaurus that make no pages, or pages of files that are looked at. */
const plainParts =
  /^@docusaurus\/(?:types|theme-[\w-]+|preset-classic|faster|plugin-(?:content-(?:docs|blog|pages)|client-redirects|sitemap|ideal-image|pwa|google-[\w-]+|svgr|debug))\b/

/** Tests whether an address outside of the docs may be a page of the blog, of `src/pages/`, or one that a plugin makes. */
export function otherRoutes(
  source: string,
  { paths, base, locales }: { paths: ReadonlySet<string>; base: string; locales: ReadonlySet<string> },
): (url: string) => boolean {
  const parts = [
    ...source.matchAll(
      /['"]((?:@[\w-]{1,60}\/|\.{1,2}\/)?[\w./-]{0,100}(?:docusaurus|plugin|preset)[\w./-]{0,100})['"]/g,
    ),
  ]
  const isOpen =
    parts.some(([, name = '']) => !plainParts.test(name)) || /\bplugins\s{0,5}:(?!\s{0,5}\[)/.test(source)
  const folder = `${base}src/pages/`
  const pages = [...paths].flatMap((path) =>
    path.startsWith(folder)
      ? [`/${path.slice(folder.length).replace(/(?:(?:^|(?<=\/))index)?\.\w+$/, '')}`]
      : [],
  )
  const bases = [...source.matchAll(/\brouteBasePath\s{0,5}:\s{0,5}['"]\/?([^'"\n]{0,100})['"]/g)].map(
    ([, one = '']) => one,
  )
  const open = new Set(['blog', 'search', 'tags', ...bases, ...locales])
  return (url) => {
    const bare = url.replace(/(?<=[^/])\/{1,20}$/, '')
    const first = bare.split('/', 2)[1] ?? ''
    return (
      isOpen ||
      bare === '/' ||
      open.has(first) ||
      open.has('') ||
      pages.some((page) => page.replace(/(?<=.)\/$/, '') === bare)
    )
  }
}

/** Tests whether an address is that of a list of pages that the build makes of a category. */
export async function generatedLists(
  read: ReadFile,
  {
    files,
    categories,
  }: { files: readonly string[]; categories: ReadonlyMap<string, { list: string | undefined }> },
): Promise<(url: string) => boolean> {
  const ends = new Set([...categories.values()].flatMap(({ list }) => list ?? []))
  let hasUnnamed = false
  for (const file of files.slice(0, mostFiles)) {
    const source = (await read(file)) ?? ''
    for (const { index } of source.matchAll(/['"]generated-index['"]/g)) {
      const around = source.slice(source.lastIndexOf('{', index), index + 1000).split('}', 1)[0] ?? ''
      const slug = /\bslug\s{0,5}:\s{0,5}['"]\/?([^'"\n]{1,200})['"]/.exec(around)?.[1]
      if (slug === undefined) hasUnnamed = true
      else ends.add(slug)
    }
  }
  return (url) => {
    const bare = url.replace(/(?<!\/)\/+$/, '')
    return [...ends].some((end) => bare.endsWith(`/${end}`)) || (hasUnnamed && bare.includes('/category/'))
  }
}
