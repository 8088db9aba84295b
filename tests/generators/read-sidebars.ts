import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recording } from './compare-site.ts'
import { elementsIn, elementsOf, fits, valueOf } from './read-built.ts'

/** The addresses of pages that the sidebars of a built site name, in order; a list that is part of another one is left out. */
export function readSidebars(
  folder: string,
  {
    base,
    sidebar,
    sidebarAt,
    pages,
  }: { base: string; sidebar: string; sidebarAt?: string; pages: Recording['pages'] },
): string[][] {
  const addresses = new Map(pages.map(({ address }) => [keyOf(address), address]))
  const lists = new Map<string, string[]>()
  for (const address of sidebarAt === undefined ? pages.map((page) => page.address) : [sidebarAt]) {
    const file = ['', '.html', 'index.html', '/index.html']
      .map((end) => join(folder, `${address}${end}`))
      .find((path) => path.endsWith('.html') && existsSync(path))
    if (file === undefined) continue
    const links = elementsOf(readFileSync(file, 'utf8'))
      .filter((one) => fits(one, sidebar))
      .flatMap(elementsIn)
      .flatMap((one) => (one.tagName === 'a' ? (valueOf(one, 'href') ?? []) : []))
      .filter((href) => URL.canParse(href, 'http://site'))
      .map((href) => new URL(href, `http://site${base.replace(/\/$/, '')}${address}`))
      .filter(({ host, pathname }) => host === 'site' && pathname.startsWith(base))
      .flatMap(({ pathname }) => addresses.get(keyOf(`/${decodeURI(pathname.slice(base.length))}`)) ?? [])
    const list = [...new Set(links)]
    lists.set(list.join('\n'), list)
  }
  const longest = [...lists.values()].sort((left, right) => right.length - left.length)
  const kept: string[][] = []
  for (const list of longest)
    if (list.length > 0 && !kept.some((other) => list.every((one) => other.includes(one)))) kept.push(list)
  return kept
}

function keyOf(url: string): string {
  return url
    .replace(/\/index\.html$/, '/')
    .replace(/\.html$/, '')
    .replace(/(?<=.)\/$/, '')
}
