import { expect, it } from 'vitest'
import { askedDeletions } from './asked-deletions.ts'

it.each([
  ['Delete guides/old-setup.mdx', 'guides/old-setup.mdx'],
  ['Please remove the old setup page', 'guides/old-setup.mdx'],
  ['Delete the page "Getting started"', 'guides/start.mdx'],
  ['Drop the whole folder guides/', 'guides/start.mdx'],
  ['Delete these pages:\n- start\n- other', 'guides/start.mdx'],
  ['Delete all the old pages', 'guides/start.mdx'],
  ['Keep the index and delete everything else', 'guides/start.mdx'],
  ['Remove most of the documentation', 'guides/start.mdx'],
  ['Lösche alle Seiten', 'guides/start.mdx'],
  ['删除 guides/start.mdx', 'guides/start.mdx'],
])('is asked for: %s', (request, path) => {
  expect(askedDeletions(request)(path, 'Getting started')).toBe(true)
})

it.each([
  ['Fix the typos', 'guides/start.mdx'],
  ['Rewrite guides/start.mdx', 'guides/start.mdx'],
  ['Remove all trailing spaces in all pages', 'guides/start.mdx'],
  ['Remove all mentions of Acme', 'guides/start.mdx'],
  ['Delete guides/other.mdx', 'guides/start.mdx'],
  ['Delete the restart section', 'guides/start.mdx'],
  ['', 'guides/start.mdx'],
])('is not asked for: %s', (request, path) => {
  expect(askedDeletions(request)(path, 'Getting started')).toBe(false)
})
