import type { IgnoreEntry } from '../../lib/prompts/ignore-prompt.ts'
import type { TermRule } from '../../lib/text/glossary.ts'

/** Where a request applies: the whole documentation, a folder, or a page as the person named it. */
export type Scope =
  | { kind: 'everywhere' }
  | { kind: 'folder'; path: string }
  | { kind: 'page'; named: string }

export const admonitionKinds = ['note', 'tip', 'warning', 'info', 'caution', 'danger', 'important'] as const
export type AdmonitionKind = (typeof admonitionKinds)[number]

/** Where a text goes on its page. */
export interface Place {
  at: 'end' | 'start' | 'after' | 'before' | 'under'
  heading?: string
}

/** A request that the built-in model understands. Page names are still as the person wrote them. */
export type Request =
  | {
      kind: 'replace'
      from: string
      to: string
      /** The text was given in quotes, so it is meant literally. */
      exact: boolean
      ignoreCase: boolean
      code: boolean | undefined
      links: boolean
      /** The word that the number belongs to; it is only changed on lines with that word. */
      near: string | undefined
      /** In longer names too, as in identifiers of code. */
      inNames: boolean
      scope: Scope
    }
  | {
      kind: 'version'
      product: string
      /** Undefined for whatever stands there. */
      from: string | undefined
      to: string
      /** The lowest version that works is meant, so `18 or later` is changed too. */
      minimum: boolean
      scope: Scope
    }
  | { kind: 'relink'; from: string; to: string; code: boolean; scope: Scope }
  | { kind: 'typos'; scope: Scope }
  | { kind: 'links'; only: 'link' | 'anchor' | 'image' | undefined; scope: Scope }
  /** What is to stand in the place of lines, as somebody quoted them; empty to take them out. */
  | { kind: 'suggestion'; path: string; line: number; quote: string; text: string }
  /** What checks are not to report any more, as a button says it. */
  | { kind: 'ignore'; entry: IgnoreEntry }
  | { kind: 'move'; page: string; to: string }
  | { kind: 'rename'; page: string; title: string; file: boolean }
  | { kind: 'delete'; page: string }
  | {
      kind: 'add page'
      title: string
      path: string | undefined
      group: string | undefined
      folder: string | undefined
      after: string | undefined
      content: string
    }
  | { kind: 'add section'; page: string; heading: string; place: Place; content: string }
  | { kind: 'add paragraph'; page: string; place: Place; content: string }
  | { kind: 'add note'; page: string; admonition: AdmonitionKind; place: Place; content: string }
  | { kind: 'describe'; page: string; description: string }
  | { kind: 'add missing'; field: 'description' | 'title'; scope: Scope }
  | { kind: 'terms'; rules: TermRule[]; file: string | undefined; scope: Scope }
  | { kind: 'help' }
  | { kind: 'unknown'; text: string }
