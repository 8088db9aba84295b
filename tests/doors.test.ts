import { readFile, readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

/**
 * The files of a module that others may import, by its folders. Everything else is its own, to be changed without
 * looking further. A door more is a decision, a door that nobody uses is closed.
 */
const doors: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'features/projects': {
    '': [
      'allow',
      'app-grants',
      'limits',
      'organizations',
      'projects',
      'pull-requests',
      'rights',
      'roles',
      'sign-in',
      'sync',
      'used-key',
      'visibility',
    ],
    settings: ['context-repositories', 'fields', 'schemas'],
  },
  'features/connections': {
    '': [
      'connections',
      'describe-host',
      'find-connectable',
      'follow-rename',
      'named-sites',
      'open-connection',
      'webhook',
    ],
  },
  site: {
    '': ['files', 'guidance', 'guidance-file', 'page-text', 'site'],
    checks: ['check-tree', 'facts-cache', 'lint', 'new-problems', 'page-facts', 'problem', 'site-view'],
    'checks/links': ['link-places'],
    'checks/whole': [
      'check-compiling',
      'check-site',
      'ignore-entry',
      'ignored-problems',
      'progress',
      'site-problem',
    ],
    'code-config': ['code-mentions', 'parse-script', 'resolve'],
    frameworks: [
      'create-site',
      'dialects',
      'include-forms',
      'list-sites',
      'open-navigation',
      'shipped-parts',
    ],
    impact: [
      'assess',
      'change-map',
      'change-map-path',
      'choose-pages',
      'combine',
      'file-kinds',
      'findings',
      'learned-map',
      'report',
      'still-true',
      'term-index',
    ],
    includes: ['read-whole-page', 'site-with-names'],
    links: ['href', 'learn-ids', 'made-files', 'page-path'],
    markdown: [
      'edit-front-matter',
      'entities',
      'esm',
      'extract-links',
      'fence',
      'front-matter',
      'heading-id',
      'line',
      'link-forms',
      'page-tree',
      'shown-attributes',
      'slug',
      'tag',
      'zones',
    ],
    navigation: ['alias-edits', 'edit-navigation', 'host-redirects'],
    openapi: [
      'description',
      'operation-pages',
      'operations',
      'remote',
      'shown-operations',
      'write-operation',
    ],
    pages: [
      'compare-versions',
      'decode',
      'dialect',
      'file-references',
      'page-groups',
      'page-name',
      'page',
      'parse-page',
      'read-part',
    ],
    asciidoc: ['alias-edits'],
    restructured: ['blocks', 'fit-titles', 'title-styles', 'uses'],
    text: [
      'closest-lines',
      'content-hash',
      'encoding',
      'glob',
      'lfs-pointer',
      'markup',
      'paths',
      'repository-path',
      'text-file',
      'text-guard',
      'text-view',
      'yaml-scalar',
      'yaml-source',
    ],
  },
}
const root = resolve(import.meta.dirname, '../src')

it('imports nothing of a module but by its doors, and uses each of them', async () => {
  const found = new Map(Object.keys(doors).map((module) => [module, new Set<string>()]))
  for (const [from, to] of await importsBetweenModules()) {
    for (const [module, used] of found)
      if (to.startsWith(`${module}/`) && !from.startsWith(`${module}/`)) used.add(to)
  }
  for (const [module, folders] of Object.entries(doors)) {
    const named = Object.entries(folders).flatMap(([folder, files]) =>
      files.map((file) => [module, folder, `${file}.ts`].filter((part) => part !== '').join('/')),
    )
    expect([...(found.get(module) ?? [])].toSorted()).toEqual(named.toSorted())
  }
})

async function importsBetweenModules(): Promise<[from: string, to: string][]> {
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const imports = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8')
      const paths = text.matchAll(/(?:from|import|import\()\s*'(\.{1,2}\/[^']+)'/g)
      return [...paths].map(([, path = '']): [string, string] => [
        file.replaceAll('\\', '/'),
        relative(root, resolve(root, file, '..', path)).replaceAll('\\', '/'),
      ])
    }),
  )
  return imports.flat()
}
