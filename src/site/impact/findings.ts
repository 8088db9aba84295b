import type { CodePlace, Fate } from './changed-terms.ts'
import type { PlaceKind } from './page-places.ts'

export const impactLevels = ['certain', 'likely', 'look'] as const
export type ImpactLevel = (typeof impactLevels)[number]

/** A name that a change did something to, as evidence. */
export interface NamedChange {
  name: string
  fate: Exclude<Fate, 'near'>
  /** It stands in no code any more. */
  isGone: boolean
  became?: string
  /** What became of it, behind “which”: `was removed from the code`. */
  words: string
  before?: CodePlace
  after?: CodePlace
}

/** Where a page has a name. */
export interface NamePlace {
  name: string
  line: number
  kind: PlaceKind
  text: string
}

/** A section of a page, with what speaks for it. */
export interface ImpactFinding {
  heading: string
  /** The first and the last line of the section. */
  lines: [number, number]
  places: NamePlace[]
  isCertain: boolean
}

export interface ImpactPage {
  path: string
  level: ImpactLevel
  score: number
  /** Why, in words: the strongest first. */
  why: string[]
  findings: ImpactFinding[]
  /** It says that a program makes it. */
  isGenerated: boolean
  /** Commits before that changed it and one of these files. */
  together: number
}

export interface ImpactReport {
  pages: ImpactPage[]
  /** Names that pages have, and new ones. */
  names: NamedChange[]
  /** New options and functions that no page has. */
  undocumented: NamedChange[]
  /** Not all of the code was read, so that nothing is certain. */
  isPartial: boolean
}
