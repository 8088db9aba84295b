import { z } from '@hono/zod-openapi'
import { aboutChangeForm, longestAboutChange, readAboutChange } from '../../features/agent/about-change.ts'
import { defineVerb } from '../../verbs/verb.ts'
import { impactAnswer, mapAnswer, stillTrueAnswer } from './answers.ts'

const path = '/admin/projects/{domain}/impact'
const tag = 'Projects'
const changeRule = `must be ${aboutChangeForm}`

export const getImpact = defineVerb({
  name: 'getImpact',
  address: `get ${path}`,
  tag,
  summary: 'Get the impact of a change',
  description:
    'Which pages a change of code touches, without a model: names that it changes, paths, and which files changed together before. Pages are read as they were before the change, or as they are where the code is in a context repository.',
  errors: [404, 413, 503],
  input: z.object({
    change: z
      .string({ error: changeRule })
      .min(1, changeRule)
      .max(longestAboutChange, changeRule)
      .refine((text) => readAboutChange(text) !== undefined, changeRule)
      .describe(`${aboutChangeForm[0]?.toUpperCase() ?? ''}${aboutChangeForm.slice(1)}.`),
  }),
  output: impactAnswer,
  answer: [200, 'The pages, and why'],
  fields: { change: { label: 'Change' } },
})

export const getImpactMap = defineVerb({
  name: 'getImpactMap',
  address: `get ${path}/map`,
  tag,
  summary: 'Get the map from code to pages',
  description:
    'Which pages changed with which code before, in the repository of the docs, and what `.docwright/map.yml` says of them. Impact ranks by it, beside names and paths.',
  errors: [404, 503],
  input: z.object({}),
  output: mapAnswer,
  answer: [200, 'The pairs'],
  fields: {},
})

const idRule = 'must be the id of a commit'

export const keepPage = defineVerb({
  name: 'keepPage',
  address: `post ${path}/still-true`,
  tag,
  summary: 'Confirm that a page is up to date',
  description:
    'Leaves a page out of what this commit touches from now on, and of what other commits touch without changing a name that it has. A later commit that changes one finds it again.',
  input: z.object({
    commit: z
      .string({ error: idRule })
      .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, idRule)
      .openapi({ example: '4f2c9e1b7a6d5c3e8f0a1b2c3d4e5f6a7b8c9d0e' }),
    path: z
      .string({ error: 'must be the path of a page' })
      .min(1, 'must be the path of a page')
      .max(1000, 'must be the path of a page'),
  }),
  output: stillTrueAnswer,
  answer: [200, 'It is left out'],
  fields: { commit: { label: 'Commit' }, path: { label: 'Page' } },
})
