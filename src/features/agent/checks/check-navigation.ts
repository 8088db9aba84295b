import type { Problem } from './problem.ts'
import type { TreeChange } from './tree-change.ts'

/** New pages that no reader finds, as the navigation does not name them. */
export async function checkNavigation({ base, head, files }: TreeChange): Promise<Problem[]> {
  const [before, site] = [await base.site(), await head.site()]
  const known = base.oids()
  const pages = new Set(site.pages)
  const problems: Problem[] = []
  for (const { path, from } of files) {
    if (known.has(path) || !pages.has(path)) continue
    const data = (await head.facts(path))?.frontMatter.data ?? {}
    if (data['hidden'] === true || data['draft'] === true || data['unlisted'] === true) continue
    if (site.pageFor(path, data)?.inNavigation !== false) continue
    // A page that was moved or copied and could not be found before either is no worse off.
    const old = from === undefined ? undefined : ((await base.facts(from))?.frontMatter.data ?? {})
    if (from !== undefined && before.pageFor(from, old)?.inNavigation === false) continue
    problems.push({
      check: 'navigation',
      path,
      line: 1,
      message: 'The page is new and the navigation does not name it, so nobody finds it',
      hint: `Call add_to_navigation with its path${hiding[site.framework] ?? ''}`,
    })
  }
  return problems
}

const hiding: Readonly<Record<string, string>> = {
  mintlify: ', or write `hidden: true` in its front matter if nobody is to find it',
  docusaurus: ', or write `unlisted: true` in its front matter if nobody is to find it',
}
