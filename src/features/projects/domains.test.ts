import { expect, it } from 'vitest'
import { requireDomain } from './projects.ts'

it.each([
  'docs',
  'a',
  '0',
  'docs.example.com',
  'a-b.c-d',
  'xn--bcher-kva.example',
  `${'a'.repeat(63)}.${'b'.repeat(63)}`,
])('takes %s', (domain) => {
  expect(() => requireDomain(domain)).not.toThrow()
})

it.each([
  '',
  'Docs',
  'docs_1',
  '-docs',
  'docs-',
  '.docs',
  'docs.',
  'docs..com',
  'docs.-a',
  'docs/guides',
  'docs\n',
  'docs example',
  'bücher.example',
  'a'.repeat(64),
  Array.from({ length: 128 }, () => 'a').join('.'),
])('refuses %j', (domain) => {
  expect(() => requireDomain(domain)).toThrow(/can contain a to z/)
})

it.each(['docs.git', 'docwright.jobs'])('keeps %s for addresses of its own', (domain) => {
  expect(() => requireDomain(domain)).toThrow(/reserved/)
})
