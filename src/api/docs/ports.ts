import type { Project } from '../../features/projects/projects.ts'

/** The best results come first. `confidence` is from 0 to 1: how well the documentation speaks of the query. */
export type SearchDocs = (
  project: Project,
  query: string,
) => Promise<{ hits: FoundSection[]; confidence: number }>

/** A page with the section of it that fits best. */
export interface FoundSection {
  url: string
  title: string
  heading: string | undefined
  anchor: string | undefined
  /** Text of the section. */
  content: string
}
