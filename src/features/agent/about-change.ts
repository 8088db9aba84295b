import { decoded } from '../../lib/text/decoded.ts'
import type { AboutChangeColumn } from '../../store/columns.ts'

/** What a job is asked that is started for a change without words of its own. */
export const promptOfChange = 'Bring the documentation in line with this change of the code.'

/** What `readAboutChange` reads, in characters. */
export const longestAboutChange = 600

/** The form of `readAboutChange`, for fields and options. */
export const aboutChangeForm =
  'a commit, #number of a pull request or from..to, behind @name for a context repository'

/**
 * Reads how people name a change in one line: `4f2c9e1`, `#128`, `v2.1..v2.2` or the address of one of these at a host, after
 * `@name ` for a context repository. Undefined for anything else.
 */
export function readAboutChange(text: string): AboutChangeColumn | undefined {
  const [, name, given = ''] =
    /^(?:@([^\s/@]{1,100})[\s/]+)?(\S{1,500})$/.exec(text.slice(0, 1000).trim()) ?? []
  const change = readChange(given)
  return change && { ...(name !== undefined && { repository: name }), ...change }
}

function readChange(given: string): AboutChangeColumn | undefined {
  const address = /^https?:\/\/[^\s?#]{1,400}/.exec(given)?.[0]
  if (address !== undefined) {
    const [, number] = /\/(?:pull|pulls|merge_requests|pull-requests)\/(\d{1,9})(?:\/|$)/.exec(address) ?? []
    if (number !== undefined) return { pullRequest: Number(number) }
    const [, commit] = /\/commits?\/([0-9a-f]{7,64})$/i.exec(address) ?? []
    if (commit !== undefined) return { commit }
    const [, range] = /\/compare\/([^/]+\.\.\.?[^/]+)$/.exec(address) ?? []
    return range === undefined ? undefined : { range: decoded(range) }
  }
  const [, number] = /^[#!](\d{1,9})$/.exec(given) ?? []
  if (number !== undefined) return Number(number) > 0 ? { pullRequest: Number(number) } : undefined
  if (isRange(given)) return { range: given }
  return isReference(given) ? { commit: given } : undefined
}

/** Two commits, tags or branches: `from..to`. */
export function isRange(text: string): boolean {
  const [from = '', to = '', ...rest] = text.split(/\.{2,3}/)
  return rest.length === 0 && isReference(from) && isReference(to)
}

/** Whether git can take it for the name of a commit, and for nothing else. */
export function isReference(text: string): boolean {
  return /^(?![-/.@])[\w./@+-]{1,200}$/.test(text) && !/\.\.|@\{|\/\/|\.lock$/.test(text)
}

/** As people read it: `commit 4f2c9e1 of @app`. */
export function describeAboutChange({ repository, commit, pullRequest, range }: AboutChangeColumn): string {
  const what =
    pullRequest !== undefined
      ? `pull request #${pullRequest}`
      : range !== undefined
        ? range
        : `commit ${commit}`
  return repository === undefined ? what : `${what} of @${repository}`
}
