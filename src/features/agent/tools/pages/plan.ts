import type { FileEdits } from '../../../../site/navigation/edit-navigation.ts'
import { type DecodedText, decodeText, encodeEdited } from '../../../../site/text/encoding.ts'
import { applyEdits } from '../../../../site/text/text-file.ts'
import type { Change } from '../../workspace/base-tree.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { quote } from '../../../../lib/text/quote.ts'
import type { PathGuard } from '../calls/guarded-files.ts'
import { changedLines } from '../edits/text-difference.ts'
import { ToolError } from '../../../../lib/tool-error.ts'

/**
 * A change of several files that is made completely or not at all: nothing is written before everything is planned.
 */
export class Plan {
  #workspace: Workspace
  #guard: PathGuard
  /** Each with the file before its edits. */
  #files = new Map<string, { text: string; original: DecodedText }>()
  #before = new Map<string, string>()

  constructor(workspace: Workspace, guard: PathGuard) {
    this.#workspace = workspace
    this.#guard = guard
  }

  /** A file's exact text with the planned edits; undefined when it cannot be edited. */
  async text(path: string): Promise<string | undefined> {
    return (await this.#file(path))?.text
  }

  /** The planned texts by path. */
  texts(): ReadonlyMap<string, string> {
    return new Map([...this.#files].map(([path, { text }]) => [path, text]))
  }

  async edit({ path, edits }: FileEdits): Promise<void> {
    if (edits.length === 0) return
    await this.#guard.requireWritable(path)
    const file = await this.#file(path)
    if (file === undefined)
      throw new ToolError('binary', `${quote(path)} would have to be edited, but is no text file`)
    if (!this.#before.has(path)) this.#before.set(path, file.text)
    this.#files.set(path, { ...file, text: applyEdits(file.text, edits) })
  }

  /** Applies the plan together with these other changes, and returns the planned files. */
  apply(besides: readonly Change[] = []): string[] {
    const edited = this.changes()
    this.#workspace.apply([...besides, ...edited])
    return edited.map(({ path }) => path).sort()
  }

  /** The planned files as they will be written. */
  changes(): { path: string; content: Uint8Array }[] {
    return [...this.#files].map(([path, { text, original }]) => ({
      path,
      content: encodeEdited(text, original),
    }))
  }

  /** Plans a file with this content in place of what is planned for it. */
  async replace(path: string, content: Uint8Array): Promise<void> {
    const decoded = decodeText(content)
    if (decoded === undefined) return
    await this.#guard.requireWritable(path)
    this.#files.set(path, { text: decoded.text, original: decoded })
  }

  /** The changed lines of each file below its name. */
  diff(): { diff?: string } {
    const parts = [...this.#files].flatMap(([path, { text }]) => {
      const lines = changedLines(this.#before.get(path) ?? '', text)
      return lines === undefined ? [] : [`${quote(path)}\n${lines}`]
    })
    return parts.length === 0 ? {} : { diff: parts.join('\n') }
  }

  async #file(path: string): Promise<{ text: string; original: DecodedText } | undefined> {
    const planned = this.#files.get(path)
    if (planned !== undefined) return planned
    const content = this.#workspace.has(path) ? await this.#workspace.read(path) : undefined
    const original = content === undefined ? undefined : decodeText(content)
    return original && { text: original.text, original }
  }
}
