import { locate, type Place } from './nearness.ts'
import type { SearchIndex } from './search-index.ts'

/** A page whose address stands in a question, and the section that it names. */
export interface NamedPage extends Place {
  anchor: string | undefined
}

const mostRead = 10_000
const mostAddresses = 5

/**
 * The pages whose addresses stand in a text, whole or from their path on.
 * @param sites addresses below which the pages are
 */
export function namedPages(index: SearchIndex, text: string, sites: readonly string[]): NamedPage[] {
  const addresses =
    text.slice(0, mostRead).match(/https?:\/\/[^\s<>"'`)\]]+|(?<![^\s("'`])\/[\w.~%/-]+(?:#[\w.-]+)?/gi) ?? []
  return [...new Set(addresses)].slice(0, mostAddresses).flatMap((written) => {
    const address = written.replace(/[.,;:!?]{1,9}$/, '')
    const place = locate(index, address, sites)
    return place === undefined ? [] : [{ ...place, anchor: /#([^?#]+)$/.exec(address)?.[1] }]
  })
}
