import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { parseYaml, parseYamlDocument } from './yaml.ts'

it('takes the last of equal keys, and calls them an error where they have to be unique', () => {
  const text = 'a: 1\na: 2\n'
  expect(parseYaml(text)).toEqual({ a: 2 })
  expect(() => parseYaml(text, { unique: true })).toThrow(/unique/)
})

it('reads on behind an error only where it is lenient', () => {
  const text = 'a: 1\nb: [\n'
  expect(() => parseYaml(text)).toThrow(/flow sequence/i)
  expect(parseYaml(text, { lenient: true })).toMatchObject({ a: 1 })
  expect(() => parseYaml('a: 1\n---\nb: 2\n')).toThrow(/multiple documents/)
  expect(parseYaml('a: 1\n---\nb: 2\n', { lenient: true })).toEqual({ a: 1 })
})

it('fills in merged maps only where that is asked for', () => {
  const text = 'base: &base\n  a: 1\nown:\n  <<: *base\n'
  expect(parseYaml(text, { merge: true })).toMatchObject({ own: { a: 1 } })
  expect(parseYaml(text)).toMatchObject({ own: { '<<': { a: 1 } } })
})

it('refuses aliases that unfold to much more than the text', () => {
  const levels = Array.from(
    { length: 9 },
    (_, n) =>
      `l${n}: &l${n} [${Array(9)
        .fill(`*l${n - 1}`)
        .join(', ')}]`,
  )
  const text = ['l: &l-1 [x]', ...levels].join('\n')
  expect(() => parseYaml(text)).toThrow(/alias/i)
})

it('keeps the offsets of nodes', () => {
  expect(parseYamlDocument('a: [1, 2]\n').contents?.range?.[0]).toBe(0)
})

it('is the only place that parses YAML', async () => {
  const src = resolve(import.meta.dirname, '../..')
  const parsing: string[] = []
  for await (const file of glob('**/*.ts', { cwd: src }))
    if (/import \{[^}]*\bparse\w*[^}]*\} from 'yaml'/.test(await readFile(resolve(src, file), 'utf8')))
      parsing.push(file)
  expect(parsing).toEqual(['lib/text/yaml.ts'])
})
