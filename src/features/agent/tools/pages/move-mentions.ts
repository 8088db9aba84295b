import type { SiteView } from '../../../../site/checks/site-view.ts'
import { type Mention, codeMentions, isSiteCode } from '../../../../site/code-config/code-mentions.ts'
import type { FileEdits } from '../../../../site/navigation/edit-navigation.ts'
import type { Site } from '../../../../site/site.ts'
import { pageEnding } from '../../../../site/text/markup.ts'

/** Navigation that is computed by code is not edited: the model gets the lines, to change them or to report them. */
export async function mentionsInCode(
  view: SiteView,
  names: readonly string[],
  {
    named,
    texts,
    entries,
  }: {
    named: readonly FileEdits[]
    texts: ReadonlyMap<string, string>
    /** Places that name the moved pages where they are now, such as by an id that stayed. */
    entries: readonly { file: string; line: number }[]
  },
): Promise<Mention[]> {
  const mentions: Mention[] = []
  for (const path of [...view.oids().keys()].filter(isSiteCode).slice(0, 50)) {
    const before = (await view.text(path)) ?? ''
    const text = texts.get(path) ?? before
    const edits = named.filter((file) => file.path === path)
    // If several files move, later edits refer to a text that earlier ones changed, so whole lines are compared.
    const [sole] = edits.length > 1 ? [] : edits
    const old = edits.length > 1 ? new Set(before.split('\n')) : undefined
    const lines = text.split('\n')
    const inFile = codeMentions(path, text, { names, made: sole?.edits ?? [] })
    const right = new Set(entries.flatMap(({ file, line }) => (file === path ? [line] : [])))
    mentions.push(
      ...inFile.filter(({ line }) => !right.has(line) && old?.has(lines[line - 1] ?? '') !== false),
    )
  }
  return mentions.slice(0, 50)
}

/** How code may reference a page: by address, by path and, as sidebars do, by path without extension. */
export function namesOf(site: Site, path: string, url: string | undefined): string[] {
  const inside = path.slice(path.startsWith(site.root) ? site.root.length : 0)
  const bare = inside.replace(pageEnding, '')
  const address = (url ?? '').replace(/\.html$/, '')
  return [
    inside,
    `/${inside}`,
    bare,
    `/${bare}`,
    address,
    `${address}.html`,
    address.replace(/\/$/, ''),
    `${address}/`,
  ]
}
