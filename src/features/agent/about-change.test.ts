import { expect, it } from 'vitest'
import { describeAboutChange, readAboutChange } from './about-change.ts'

it.each([
  ['4f2c9e1', { commit: '4f2c9e1' }],
  ['@app 4f2c9e1', { repository: 'app', commit: '4f2c9e1' }],
  ['@app/#128', { repository: 'app', pullRequest: 128 }],
  ['!7', { pullRequest: 7 }],
  ['v2.1..v2.2', { range: 'v2.1..v2.2' }],
  ['main...feature/x', { range: 'main...feature/x' }],
  ['https://github.com/acme/app/pull/12/files', { pullRequest: 12 }],
  ['https://gitlab.example/a/b/-/merge_requests/3', { pullRequest: 3 }],
  ['https://github.com/acme/app/commit/4f2c9e1d', { commit: '4f2c9e1d' }],
  ['@app https://github.com/acme/app/compare/v1...v2', { repository: 'app', range: 'v1...v2' }],
])('reads %s as a change', (text, about) => {
  expect(readAboutChange(text)).toEqual(about)
})

it.each([
  '',
  '--all',
  '-p',
  'a b c',
  '#0',
  'a..b..c',
  '..',
  'x@{1}',
  ':/word',
  'https://github.com/acme/app',
  '@app',
])('does not take %s for a change', (text) => {
  expect(readAboutChange(text)).toBeUndefined()
})

it('says what a job is about', () => {
  expect(describeAboutChange({ repository: 'app', commit: '4f2c9e1' })).toBe('commit 4f2c9e1 of @app')
  expect(describeAboutChange({ pullRequest: 3 })).toBe('pull request #3')
})
