import type { OwnIds } from '../markdown/heading-id.ts'

/** What a framework makes of the source of a heading, besides the slug of its words. */
export interface HeadingRules {
  ownIds: OwnIds
  /** What stands for the braces around a heading's own id: `%{#id}%`. */
  idDelimiters?: readonly [open: string, close: string]
  /**
   * Which lines are headings, where it is not as in CommonMark. `loose`: no space is needed behind the hashes. `python`:
   * neither, but nothing may stand before them but whole levels of indentation. `kramdown`: nothing before them outside
   * of lists. In the last two, a heading with a line below it is one line.
   */
  lines?: 'loose' | 'python' | 'kramdown'
  /** What stands for the end of a line in an id; `last`: only the last line counts. Nothing when not given. */
  breaks?: 'space' | 'last'
  /** The alternative texts of images are part of ids. */
  alt?: boolean
  /** What of a footnote's reference is part of an id: its number, or the mark as it is written. */
  footnotes?: 'number' | 'mark'
  /** The generator writes a heading above the footnotes of a page, of this id. */
  footnotesId?: string
  /** Which signs are made before ids are: dashes of `--` and `---`, or with three dots and straight quotes those of print. */
  typography?: 'dashes' | 'print' | undefined
  /** Names of emoji (`:tada:`) are no part of ids. */
  leavesEmojiOut?: boolean
  /** Citations (`@name`) are no part of ids. */
  leavesCitationsOut?: boolean
  /** What templates put into a heading is part of its id, which is not known then. */
  hasTemplates?: boolean
  /** Entities are part of ids as they are written. */
  hasEntities?: boolean
  /** Of `:name[label]{…}` ids have the label alone. `words`: only where it begins a word. */
  directives?: 'anywhere' | 'words'
  /** `{name}` before code is a role. */
  hasRoles?: boolean
  /** The source of expressions in braces is part of ids. */
  hasExpressions?: boolean
  /** A heading in HTML without an id gets one as others do. */
  slugsHtml?: boolean
  /** Headings of the first level have no id, not even the one that is written behind them. */
  leavesFirstOut?: boolean
  /** Headings of lower levels have no id. */
  deepest?: number
  /** Terms of definition lists have ids as headings have. */
  termsHaveIds?: boolean
  /** A label above a heading is its only id. */
  labelsAreIds?: boolean
  /**
   * Down to which level links may name headings by `slugs`, where `pageIds` are others. Such names are the only ids of
   * headings in lists and quotes; those in directives have none.
   */
  namedTo?: number
}

/** For pages of which nothing is known. */
export const anyHeading: HeadingRules = { ownIds: 'any' }
