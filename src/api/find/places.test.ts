import { expect, it } from 'vitest'
import type { Caller } from '../../features/projects/allow.ts'
import { places } from './places.ts'

const operator: Caller = { kind: 'operator' }
const projects = Array.from({ length: 1000 }, (_, n) => ({
  domain: `team-${n}`,
  location: `/srv/${n}`,
  organizationId: 'org_1',
}))
const find = (...words: string[]) => places(operator, projects, { shown: undefined, words, most: 8 })

it('names a page that many projects have for a few of them only', () => {
  const gaps = find('gaps')
  expect(gaps.map(({ detail }) => detail)).toEqual(projects.slice(0, 8).map(({ domain }) => domain))
  expect(find().filter(({ title }) => title === 'Jobs')).toHaveLength(8)
})

it('looks for words in the title and the project together', () => {
  expect(find('gaps', 'team-77').map(({ url }) => url)).toEqual(
    ['team-77', ...Array.from({ length: 7 }, (_, n) => `team-77${n}`)].map(
      (domain) => `/projects/${domain}/assistant/gaps`,
    ),
  )
  expect(find('team-999', 'docs').map(({ url }) => url)).toEqual([])
  expect(find('srv', '999').map(({ url }) => url)).toEqual(['/projects/team-999'])
  expect(find('audit', 'docwright').map(({ url }) => url)).toEqual(['/audit'])
})
