import type { PageColumn } from '../../store/columns.ts'

/** The reasons that several turns have given, joined to one for each page, in the order of the turns. */
export function joinReasons(pages: readonly PageColumn[]): PageColumn[] {
  const joined = new Map<string, PageColumn>()
  for (const page of pages) {
    const before = joined.get(page.path)
    joined.set(page.path, before === undefined ? page : join(before, page))
  }
  return [...joined.values()]
}

function join(before: PageColumn, now: PageColumn): PageColumn {
  const isOwn = ({ reason, follows }: PageColumn): boolean => reason !== '' && follows !== true
  // What tools changed along with other pages says nothing more of a page that has a reason of its own.
  if (!isOwn(now) && before.reason !== '') return before
  if (!isOwn(before)) return now
  const links = { ...before.links, ...now.links }
  const reason = before.reason.includes(now.reason) ? before.reason : `${ended(before.reason)} ${now.reason}`
  return {
    path: now.path,
    reason,
    sources: [...new Set([...before.sources, ...now.sources])],
    ...(Object.keys(links).length > 0 && { links }),
  }
}

function ended(text: string): string {
  return /[.!?…:;]$/.test(text) ? text : `${text}.`
}
