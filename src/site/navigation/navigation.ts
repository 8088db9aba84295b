import type { Edit } from '../text/text-file.ts'

/** A page that the navigation names, whether its file exists or not. */
export interface NavigationEntry {
  /** The configuration file that names it. */
  file: string
  line: number
  /** As it is written there. */
  text: string
  /** The page's path; undefined when no file is there. */
  path: string | undefined
  /** The innermost group that it stands in. */
  group: string | undefined
}

export interface FileEdits {
  path: string
  edits: Edit[]
}

/** The navigation in a site's configuration files, edited as text: what is not named stays byte for byte. */
export interface Navigation {
  entries: readonly NavigationEntry[]
  /** Names of what pages can be added to, as they are written. */
  groups: readonly string[]
  /** Whether the site keeps redirects in files that can be edited. */
  hasRedirects: boolean
  /** Names a page's new path wherever the old one was named, and redirects the old address where the site can. */
  move(input: { from: string; to: string; fromUrl: string; toUrl: string }): FileEdits[]
  remove(path: string): FileEdits[]
  /** @throws ToolError `no_such_group`, `no_such_page` or `group_needed` with the groups there are */
  add(input: {
    path: string
    title: string | undefined
    group: string | undefined
    after: string | undefined
  }): FileEdits[]
}

/** Reads a file's exact text; undefined when there is none that could be edited. */
export type ReadText = (path: string) => Promise<string | undefined>

export function mergeEdits(all: readonly FileEdits[]): FileEdits[] {
  const merged = new Map<string, Edit[]>()
  for (const { path, edits } of all) {
    if (edits.length > 0) merged.set(path, [...(merged.get(path) ?? []), ...edits])
  }
  return [...merged].map(([path, edits]) => ({ path, edits }))
}
