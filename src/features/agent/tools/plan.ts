import type { SiteView } from '../checks/site-view.ts'
import type { FileEdits, Navigation } from '../navigation/navigation.ts'
import { openNavigation } from '../navigation/open-navigation.ts'
import { applyEdits, decodeExact, encode } from '../text/text-file.ts'
import { type Change, type Workspace, quote } from '../workspace.ts'
import type { PathGuard } from './path-guard.ts'
import { ToolError } from './tool-error.ts'

/** A change of several files that is made whole or not at all: nothing is written until all of it is known. */
export class Plan {
  #workspace: Workspace
  #guard: PathGuard
  #texts = new Map<string, string>()

  constructor(workspace: Workspace, guard: PathGuard) {
    this.#workspace = workspace
    this.#guard = guard
  }

  /** A file's exact text with what is planned for it; undefined when it cannot be edited. */
  async text(path: string): Promise<string | undefined> {
    const planned = this.#texts.get(path)
    if (planned !== undefined) return planned
    const content = this.#workspace.has(path) ? await this.#workspace.read(path) : undefined
    return content === undefined ? undefined : decodeExact(content)
  }

  /** What is planned, by path. */
  texts(): ReadonlyMap<string, string> {
    return this.#texts
  }

  async edit({ path, edits }: FileEdits): Promise<void> {
    if (edits.length === 0) return
    this.#guard.requireWritable(path)
    const text = await this.text(path)
    if (text === undefined)
      throw new ToolError('not_utf8', `${quote(path)} would have to be edited, but is not UTF-8`)
    this.#texts.set(path, applyEdits(text, edits))
  }

  /** Makes all that is planned, with these changes besides, and names the files that were planned. */
  apply(besides: readonly Change[] = []): string[] {
    const edited = [...this.#texts].map(([path, text]) => ({ path, content: encode(text) }))
    this.#workspace.apply([...besides, ...edited])
    return edited.map(({ path }) => path).sort()
  }
}

export async function openViewNavigation(view: SiteView): Promise<Navigation | undefined> {
  const paths = new Set(view.oids().keys())
  const read = async (path: string) => {
    const content = paths.has(path) ? await view.files.read(path) : undefined
    return content === undefined ? undefined : decodeExact(content)
  }
  return openNavigation(read, { site: await view.site(), paths })
}
