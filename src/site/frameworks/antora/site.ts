import type { ReadFile } from '../../files.ts'
import { isMarkdown } from '../../links/page-path.ts'
import { linkRules, readSettings, settingAt, textsIn } from '../settings.ts'
import { joinPath } from '../../text/paths.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'

/**
 * Antora's layout, found by `antora.yml` in `base`, where it has pages in Markdown, or where almost all of the repository
 * is in AsciiDoc. Antora builds AsciiDoc alone, which is not read, so that there is no page.
 */
export async function antoraSite(
  read: ReadFile,
  { paths, base, config }: Found,
): Promise<Framework | undefined> {
  const root = `${base}modules/`
  const all = [...paths]
  const pages = all.filter((path) => path.startsWith(root) && /^[^/]+\/pages\//.test(path.slice(root.length)))
  const isAsciiDoc = () =>
    all.filter((path) => path.endsWith('.adoc')).length > all.filter((path) => isMarkdown(path, '')).length
  if (!pages.some((path) => isMarkdown(path, root)) && !isAsciiDoc()) return undefined
  const nav = textsIn(settingAt(await readSettings(read, config), 'nav'))
  return {
    name: 'antora',
    root,
    configPaths: [config, ...nav.flatMap((path) => joinPath(base, path) ?? [])],
    navigation: new Map(),
    redirects: new Map(),
    unread: [
      { format: 'AsciiDoc', pages: pages.filter((path) => path.endsWith('.adoc')).length },
      { format: 'Markdown, which Antora does not build', pages: pages.filter((path) => isMarkdown(path, root)).length },
    ],
    openKeys: new Map(),
    dialectOf: () => dialects.antora,
    pageFor: () => undefined,
    links: linkRules({ mayExist: () => true, elsewhere: () => true }),
  }
}
