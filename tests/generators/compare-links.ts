import { checkTree } from '../../src/site/checks/check-tree.ts'
import type { Problem } from '../../src/site/checks/problem.ts'
import type { SiteView } from '../../src/site/checks/site-view.ts'
import { decoded } from '../../src/lib/text/decoded.ts'
import { keyOf, type Recording, viewOf } from './compare-site.ts'

/** Where the links that we call dead differ from those of the built site, in words, sorted. */
export async function linkDifferencesFrom(recorded: Recording, folder: string): Promise<string[]> {
  const view = await viewOf(folder, recorded.generator)
  const site = await view.site()
  const { problems } = await checkTree(view)
  const alarms = await alarmsByPage(view, problems)
  const differences = new Set<string>()
  for (const { address, dead } of recorded.pages) {
    const key = keyOf(address)
    const own = alarms.get(key) ?? []
    alarms.delete(key)
    const { missed, left } = matched(dead, own)
    for (const href of missed) differences.add(`${address}: ${href} is dead, and no alarm`)
    for (const { href, isDoubtful } of left)
      differences.add(
        `${address}: ${isDoubtful ? 'a doubt about' : 'an alarm for'} ${href}, which is not dead`,
      )
  }
  for (const [key, own] of alarms)
    for (const { href } of own) differences.add(`${key}: an alarm for ${href} on a page that is not built`)
  const ids = new Map(
    recorded.pages.map(({ address, headings, ids: others }) => [
      keyOf(address),
      new Set([...headings.map(([, id]) => id), ...others]),
    ]),
  )
  for (const { path, suggestions = [] } of problems)
    for (const suggestion of suggestions) {
      const target = site.resolveLink(path, suggestion)
      if (target.kind === 'asset') continue
      const url = target.kind === 'page' ? await addressOf(view, target.path) : undefined
      const names = url === undefined ? undefined : ids.get(keyOf(url))
      const isThere =
        names !== undefined &&
        target.kind === 'page' &&
        (target.anchor === undefined || names.has(target.anchor))
      if (!isThere) differences.add(`${path}: the suggestion ${suggestion} leads nowhere`)
    }
  return [...differences].sort()
}

interface Alarm {
  href: string
  text: string
  isDoubtful: boolean
}

/** The links that the checks call dead, by the page's address. Pictures are not recorded. */
async function alarmsByPage(view: SiteView, problems: readonly Problem[]): Promise<Map<string, Alarm[]>> {
  const alarms = new Map<string, Alarm[]>()
  for (const { check, path, line, href, severity } of problems) {
    if (href === undefined || (check !== 'link' && check !== 'anchor')) continue
    const key = keyOf((await addressOf(view, path)) ?? path)
    const facts = await view.facts(path)
    const text = facts?.links.find((link) => link.href === href && link.line === line)?.text ?? ''
    const own = alarms.get(key) ?? []
    alarms.set(key, own)
    own.push({ href, text, isDoubtful: severity === 'warning' })
  }
  return alarms
}

async function addressOf(view: SiteView, path: string): Promise<string | undefined> {
  return (await view.site()).pageFor(path, (await view.facts(path))?.frontMatter.data ?? {})?.url
}

/** Pairs each dead link with an alarm: the built page has the addresses that the generator made of those in the source, or their text. */
function matched(dead: readonly string[], alarms: readonly Alarm[]): { missed: string[]; left: Alarm[] } {
  const found = new Set<string>()
  let [missed, left] = [[...dead], [...alarms]]
  const rules: ((href: string, alarm: Alarm) => boolean)[] = [
    (href, alarm) => href === alarm.href || href === nameIn(alarm.href),
    (href, alarm) => endOf(href) === endOf(alarm.href),
    (href, { text }) => href === text,
    (href, alarm) => hashOf(href) !== '' && hashOf(href) === hashOf(alarm.href),
  ]
  for (const rule of rules) {
    missed = missed.filter((href) => {
      const at = left.findIndex((alarm) => rule(href, alarm))
      if (at !== -1) {
        left = left.toSpliced(at, 1)
        found.add(href)
      }
      return at === -1
    })
  }
  // A file that the page includes twice has one alarm.
  return {
    missed: missed.filter((href) => dead.indexOf(href) === dead.lastIndexOf(href) || !found.has(href)),
    left,
  }
}

/** What a role names: `label` of :ref:`Text <label>`. */
function nameIn(href: string): string | undefined {
  return /^[:{][\w:]+[:}]`(?:[^`]*<)?([^`<>]*)>?`$/.exec(href)?.[1]
}

/** The last name of an address, without its extension, and the fragment: `intro#part` of `../guide/intro.md#part`. */
function endOf(href: string): string {
  const written = href
    .replace(/^#(?=.*\.(?:md|html|adoc)$)|^xref:/, '')
    .replace(/^\{(?:num)?ref\}`(?:[^`]*<)?([^`<>]*)>?`$/, '#$1')
  const [path = '', hash = ''] = decoded(written).split('#')
  const bare = path
    .replace(/\{%\s*link\s+(.*?)\s*%\}/, '$1')
    .replace(/^\{\w+\}`(.*)`$/, '$1')
    .replace(/\?.*$/, '')
    .replace(/\.(?:md|mdx|html|markdown)$/i, '')
    .replace(/(?:^|\/)(?:index|README)$/i, '')
  const name =
    bare
      .split('/')
      .filter((part) => !/^\.{0,2}$/.test(part))
      .at(-1)
      ?.replace(/^\d+\./, '') ?? ''
  return `${name}#${hash}`
}

function hashOf(href: string): string {
  return href.split('#')[1] ?? ''
}
