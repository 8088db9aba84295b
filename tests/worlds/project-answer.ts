import type { z } from 'zod'
import type { projectAnswer } from '../../src/nouns/projects/answers.ts'

type ProjectAnswer = z.output<typeof projectAnswer>

/** A project as the API answers it, for what reads such answers. */
export function createProjectAnswer(fields: Partial<ProjectAnswer>): ProjectAnswer {
  return {
    id: 'prj_1',
    domain: 'docs',
    kind: 'path',
    repository: '/repositories/docs',
    ref: 'main',
    root: '',
    pages: 3,
    site: null,
    framework: 'markdown',
    organization: 'org_1',
    visibility: 'public',
    settings: {},
    assistantFile: null,
    warnings: [],
    sync: {
      state: 'ready',
      progress: null,
      error: null,
      commit: null,
      at: null,
      unreadable: [],
      warning: null,
      pageFolders: [],
    },
    enrichment: null,
    ...fields,
  }
}
