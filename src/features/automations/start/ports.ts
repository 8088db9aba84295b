import type { AboutChangeColumn, RunCauseColumn } from '../../../store/columns.ts'
import type { Store, Tx } from '../../../store/database.ts'
import type { RuleProject } from '../events/repositories.ts'
import type { Rule } from '../rules/rule.ts'

/** Which pages a change touches, as far as rules decide by it. */
export interface TouchedPages {
  commits: number
  pages: readonly {
    path: string
    level: 'certain' | 'likely' | 'look'
    findings: readonly { places: readonly { name: string }[] }[]
  }[]
  edited: readonly { path: string }[]
  /** All of it for people, beginning with what there is to do. */
  markdown: string
}

/** What a job is given. */
export interface Work {
  title: string
  /** The rule's words alone. */
  prompt: string
  about?: AboutChangeColumn | undefined
  /** Texts of strangers. */
  evidence?: string | undefined
  gapId?: string | undefined
  /** What it documents is not merged yet. */
  isAhead?: boolean | undefined
}

/** What the transaction of a job does besides. */
export interface Hooks {
  begin(tx: Tx): Promise<void>
  finish(tx: Tx, job: { id: string; turns: number }): Promise<void>
}

export interface StartPorts {
  store: Store
  openProject(id: string): Promise<RuleProject | undefined>
  /** Without pages that people found still true. @throws AppError */
  touchedBy(projectId: string, about: AboutChangeColumn): Promise<TouchedPages>
  /** Undefined while the site is checked. */
  brokenLinks(
    projectId: string,
  ): Promise<{ pages: number; problems: readonly { path: string; message: string }[] } | undefined>
  /** Undefined for a gap that is gone or has a job. */
  gapWork(
    projectId: string,
    gapId: string,
  ): Promise<{ title: string; prompt: string; evidence: string } | undefined>
  /**
   * Which of these pages stand in an open pull request of the docs, with its number.
   * @param ownJob whose pull request does not count
   */
  openElsewhere(
    projectId: string,
    pages: readonly string[],
    ownJob: string | undefined,
  ): Promise<ReadonlyMap<string, number>>
  /** The pages that were not changed for the longest time, the oldest first. */
  stalePages(projectId: string, signal: AbortSignal): Promise<readonly { path: string; at: Date }[]>
  /** Whether the jobs of a rule have the built-in model. */
  hasOnlyBuiltIn(projectId: string, rule: Rule): Promise<boolean>
  /** @throws AppError, and what the hooks throw */
  createJob(projectId: string, rule: Rule, by: RunBy, work: Work, hooks: Hooks): Promise<void>
  /** @returns false when there is no such job */
  addFollowUp(projectId: string, jobId: string, by: RunBy, work: Work, hooks: Hooks): Promise<boolean>
}

/** The rule as the author of a prompt. */
export interface RunBy {
  id: string
  name: string
}

/** An event of a rule, to be decided on. */
export interface Question {
  project: RuleProject
  automation: { id: string }
  rule: Rule
  cause: RunCauseColumn
  /** What was raised before in pull requests that people closed. */
  closed: ReadonlySet<string>
  signal: AbortSignal
}
