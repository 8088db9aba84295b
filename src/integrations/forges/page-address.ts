import type { HostKind } from './host.ts'
import type { RecognisedRepository } from './hosts.ts'

interface Place {
  /** Empty for the commit itself. */
  path: string
  commit: string
  /** The first and the last line. */
  lines?: readonly [number, number] | undefined
}

interface Pages {
  commit: (commit: string) => string
  file: (commit: string, path: string) => string
  lines: (from: number, to: number) => string
}

const pages: Readonly<Record<HostKind, Pages>> = {
  github: {
    commit: (commit) => `commit/${commit}`,
    // Rendered Markdown has no lines.
    file: (commit, path) => `blob/${commit}/${path}?plain=1`,
    lines: (from, to) => (from === to ? `#L${from}` : `#L${from}-L${to}`),
  },
  gitlab: {
    commit: (commit) => `-/commit/${commit}`,
    file: (commit, path) => `-/blob/${commit}/${path}?plain=1`,
    lines: (from, to) => (from === to ? `#L${from}` : `#L${from}-${to}`),
  },
  gitea: {
    commit: (commit) => `commit/${commit}`,
    file: (commit, path) => `src/commit/${commit}/${path}?display=source`,
    lines: (from, to) => (from === to ? `#L${from}` : `#L${from}-L${to}`),
  },
  bitbucket: {
    commit: (commit) => `commits/${commit}`,
    file: (commit, path) => `src/${commit}/${path}`,
    lines: (from, to) => (from === to ? `#lines-${from}` : `#lines-${from}:${to}`),
  },
}

/** Where a host shows a file of a commit, or the commit. Undefined for a plain git server, which has no pages. */
export function pageAddress(
  { kind, site, path: repository }: RecognisedRepository,
  { path, commit, lines }: Place,
): string | undefined {
  if (kind === 'git') return undefined
  const page = pages[kind]
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  const rest =
    path === '' ? page.commit(commit) : `${page.file(commit, encoded)}${lines ? page.lines(...lines) : ''}`
  return `${site}/${encodeURI(repository)}/${rest}`.replaceAll(
    /[()']/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
}
