import { readText } from '../../../site/text/encoding.ts'
import type { FileDifference } from '../workspace/workspace.ts'
import { hostsIn, isExampleHost, tooMany } from './addresses.ts'
import { type BaseSite, knownParts } from './base-site.ts'
import { wordsOfHost } from './parts/part.ts'

/** Hosts that a diff names in any way and the base nowhere, in their ASCII form. */
export async function newHosts(changes: readonly FileDifference[], site: BaseSite): Promise<string[]> {
  const hostsOfFile = (path: string, content: Uint8Array | undefined): Iterable<string> => {
    if (content === undefined) return []
    return site.begin?.(path, content) === false ? [tooMany] : hostsIn(readText(content))
  }
  const before = new Set(changes.flatMap(({ path, before: content }) => [...hostsOfFile(path, content)]))
  const hosts: string[] = []
  for (const { path, after } of changes)
    for (const host of hostsOfFile(path, after)) {
      if (hosts.includes(host) || before.has(host) || isExampleHost(host)) continue
      if (!(await knownParts(site).has([`any host ${host}`], path, wordsOfHost(host)))) hosts.push(host)
    }
  return hosts.sort()
}
