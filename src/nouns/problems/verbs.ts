import { z } from '@hono/zod-openapi'
import { limitUpTo } from '../../lib/list-query.ts'
import { defineVerb } from '../../verbs/verb.ts'
import { problemKind, siteProblems } from './answers.ts'

const path = '/admin/projects/{domain}/problems'
const tag = 'Projects'

export const listProblems = defineVerb({
  name: 'listProblems',
  address: `get ${path}`,
  tag,
  summary: 'List problems of the site',
  description:
    'Broken links, pages outside of the navigation, missing titles and more, over the whole site. The first call after a change begins a check; ask again while it is `running`.',
  input: z.object({
    kind: problemKind.optional().describe('Only problems of this kind.'),
    path: z.string().max(1000).optional().describe('Only problems of files whose path begins like this.'),
    limit: limitUpTo(3000, 500),
  }),
  output: siteProblems,
  answer: [200, 'The state of the check, and what the last one found'],
  fields: {
    kind: {
      label: 'Kind',
      option: '--kind <kind>',
      help: 'kind of problem, for example link or image',
    },
    path: { label: 'Path', option: '--path <path>', help: 'start of the file path' },
    limit: { label: 'At most' },
  },
})

export const checkProblems = defineVerb({
  name: 'checkProblems',
  address: `post ${path}/check`,
  tag,
  summary: 'Check the site again',
  description: 'It is checked automatically after each change; this is for a check that failed.',
  input: z.object({}),
  output: siteProblems,
  answer: [202, 'The state of the check'],
  fields: {},
})
