import type { Project } from '../../features/projects/projects.ts'

/** The best results come first. */
export type SearchDocs = (project: Project, query: string) => Promise<FoundSection[]>

/** A page with the section of it that fits best. */
export interface FoundSection {
  url: string
  title: string
  heading: string | undefined
  anchor: string | undefined
  /** Text of the section. */
  content: string
}
