import { openBlobReader } from '../../../../integrations/git/trees/blob-reader.ts'
import { listTree } from '../../../../integrations/git/trees/list-tree.ts'
import { treeFiles } from '../../../../integrations/git/trees/tree-files.ts'
import { keepNewest } from '../../../../lib/keep-newest.ts'
import { createSite } from '../../../../site/frameworks/create-site.ts'
import { readWholePage, textOfPage } from '../../../../site/includes/read-whole-page.ts'
import { siteWithNames } from '../../../../site/includes/site-with-names.ts'
import type { PageLine } from '../../../../site/pages/page.ts'
import type { Site } from '../../../../site/site.ts'
import { readText } from '../../../../site/text/encoding.ts'
import type { PlaceInSite } from '../review-data.ts'

export interface MadeMarkdown {
  text: string
  /** The line of the page's file that each line of the text is made of. */
  lines: number[]
}

interface SiteOfTree {
  files: ReadonlyMap<string, string>
  site: Site
}

/** Both versions of a change are read for each of its files. */
const kept = new Map<string, SiteOfTree>()
const mostKept = 4
const maxBytes = 2 * 1024 * 1024
/** Other pages whose titles a page shows, read for them. */
const mostMentions = 50

/** A page as the Markdown that it becomes, with what it includes; undefined where its site makes nothing of it. */
export async function asMarkdown(place: PlaceInSite, source: string): Promise<MadeMarkdown | undefined> {
  const { repository, tree, root, path } = place
  await using reader = await openBlobReader(repository, { maxBytes })
  const textIn = async (files: ReadonlyMap<string, string>, file: string): Promise<string | undefined> => {
    const oid = files.get(file)
    const blob = oid === undefined ? undefined : await reader.read(oid)
    return blob?.state === 'read' ? readText(blob.content) : undefined
  }
  const key = JSON.stringify([repository.folder, tree, root])
  let known = kept.get(key)
  if (!known) {
    const files = await treeFiles(await listTree(repository, tree), reader)
    const site = await createSite((file) => textIn(files, file), { paths: files.keys(), root })
    known = { files, site }
    keepNewest(kept, mostKept, key, known)
  }
  const { files, site } = known
  const read = (file: string): Promise<string | undefined> => textIn(files, file)
  const { mentions = [] } = await readWholePage(site, path, source, read)
  const pages = [path, ...mentions.slice(0, mostMentions)]
  const named = await siteWithNames(read, { paths: [...files.keys()], root, pages })
  const whole = await readWholePage(named, path, source, read)
  if (whole.lines.length === 0) return undefined
  return { text: textOfPage(whole), lines: linesOf(path, source, whole.lines) }
}

/** What stands in an included file belongs to the line that includes it: the next one that says something. */
function linesOf(path: string, source: string, made: readonly PageLine[]): number[] {
  const written = source.split('\n')
  const nextAfter = (line: number): number => {
    const next = written.findIndex((text, index) => index >= line && text.trim() !== '')
    return next === -1 ? line : next + 1
  }
  let own = 0
  return made.map((line) => (line.path === path ? (own = line.line) : nextAfter(own)))
}
