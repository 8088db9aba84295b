import { expect, it } from 'vitest'
import { writeIgnoreFile } from '../../../site/checks/whole/ignore-entry.ts'
import { allowedEntry } from './allowed-entry.ts'
import { checkChanges, type WriteScope } from './check-changes.ts'

const prompt = 'Ignore problems of the kind link in "docs/a.md"'
const entry = { kind: 'link', path: 'docs/a.md', text: undefined }
const person = { kind: 'person' as const, name: 'Ada' }

it('is what a person asks of the model without words, and nobody else', () => {
  expect(allowedEntry({ model: 'builtin' }, { prompt, asked_by: person })).toEqual(entry)
  expect(allowedEntry({ model: 'openai:gpt' }, { prompt, asked_by: person })).toBeUndefined()
  expect(allowedEntry({ model: 'builtin' }, { prompt, asked_by: null })).toBeUndefined()
  for (const kind of ['key', 'comment', 'automation'] as const)
    expect(allowedEntry({ model: 'builtin' }, { prompt, asked_by: { kind, name: 'x' } })).toBeUndefined()
  const more = { prompt: `${prompt}\nAnd fix it`, asked_by: person }
  expect(allowedEntry({ model: 'builtin' }, more)).toBeUndefined()
})

it('opens one file for one entry', () => {
  const scope: WriteScope = { root: 'docs', configPaths: [] }
  const change = (
    after: string | undefined,
    more: Partial<WriteScope> = {},
    path = '.docwright/ignore.yml',
  ) =>
    checkChanges(
      [
        {
          path,
          after: after === undefined ? undefined : Buffer.from(after),
          before: undefined,
          mode: '100644',
          baseMode: undefined,
        },
      ],
      { ...scope, ...more },
    ).map(({ code }) => code)
  const file = writeIgnoreFile(entry)
  expect(change(file, { ignores: entry })).toEqual([])
  expect(change(file)).toEqual(['protected'])
  expect(change(`${file}  - path: docs/\n`, { ignores: entry })).toEqual(['protected'])
  expect(change(undefined, { ignores: entry })).toEqual(['protected'])
  expect(change(file, { ignores: entry, protects: () => true })).toEqual(['protected'])
  expect(change(file, { ignores: entry }, '.docwright/automations.yml')).toEqual(['protected'])
  expect(change(file, { ignores: entry }, 'docs/.docwright/ignore.yml')).toEqual(['protected'])
})
