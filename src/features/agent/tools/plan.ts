import type { FileEdits } from '../../../site/navigation/edit-navigation.ts'
import { type DecodedText, decodeText, encodeText } from '../../../site/text/encoding.ts'
import { applyEdits, type Edit } from '../../../site/text/text-file.ts'
import { type Change, type Workspace } from '../workspace/workspace.ts'
import { quote } from '../../../lib/quote.ts'
import type { PathGuard } from './guarded-files.ts'
import { ToolError } from '../../../lib/tool-error.ts'

/**
 * A change of several files that is made completely or not at all: nothing is written before everything is planned.
 */
export class Plan {
  #workspace: Workspace
  #guard: PathGuard
  #files = new Map<string, { before: DecodedText; edits: Edit[]; text: string }>()

  constructor(workspace: Workspace, guard: PathGuard) {
    this.#workspace = workspace
    this.#guard = guard
  }

  /** Whether a file is there as text. */
  async isText(path: string): Promise<boolean> {
    return this.#files.has(path) || (await this.#file(path)) !== undefined
  }

  /** The planned texts by path. */
  texts(): ReadonlyMap<string, string> {
    return new Map([...this.#files].map(([path, { text }]) => [path, text]))
  }

  /** All edits of a file are those of the text that it had before; the same edit may be planned twice. */
  async edit({ path, edits }: FileEdits): Promise<void> {
    if (edits.length === 0) return
    await this.#guard.requireWritable(path)
    const planned = this.#files.get(path)
    const before = planned?.before ?? (await this.#file(path))
    if (before === undefined)
      throw new ToolError('binary', `${quote(path)} would have to be edited, but is no text file`)
    const known = planned?.edits ?? []
    const more = edits.filter(({ start, end }) => !known.some((edit) => edit.start < end && start < edit.end))
    const all = [...known, ...more]
    this.#files.set(path, { before, edits: all, text: applyEdits(before.text, all) })
  }

  /** Applies the plan together with these other changes, and returns the planned files. */
  apply(besides: readonly Change[] = []): string[] {
    const edited = [...this.#files].map(([path, { text, before }]) => ({
      path,
      content: encodeText(text, before.encoding),
    }))
    this.#workspace.apply([...besides, ...edited])
    return edited.map(({ path }) => path).sort()
  }

  async #file(path: string): Promise<DecodedText | undefined> {
    const content = this.#workspace.has(path) ? await this.#workspace.read(path) : undefined
    return content === undefined ? undefined : decodeText(content)
  }
}
