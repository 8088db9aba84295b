import { describe, expect, it } from 'vitest'
import { openTree, type Tree } from './open-tree.ts'

// A page has translations where its generator keeps them, and they go where it goes.

interface Kind {
  root?: string
  tree: Tree
  page: string
  to: string
  /** The translation, before and after. */
  moved: [from: string, to: string]
}

const kinds: Readonly<Record<string, Kind>> = {
  docusaurus: {
    tree: {
      'docusaurus.config.js':
        'module.exports = { i18n: { defaultLocale: "en", locales: ["en", "fr"] }, presets: [["classic", { docs: {} }]] }\n',
      'docs/index.md': '# Home\n',
      'docs/guide.md': '# Guide\n',
      'i18n/fr/docusaurus-plugin-content-docs/current/index.md': '# Accueil\n',
      'i18n/fr/docusaurus-plugin-content-docs/current/guide.md': '# Guide en français\n',
    },
    page: 'docs/guide.md',
    to: 'docs/start/guide.md',
    moved: [
      'i18n/fr/docusaurus-plugin-content-docs/current/guide.md',
      'i18n/fr/docusaurus-plugin-content-docs/current/start/guide.md',
    ],
  },
  vitepress: {
    root: 'docs',
    tree: {
      'docs/.vitepress/config.ts':
        "export default { locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr' } } }\n",
      'docs/index.md': '# Home\n',
      'docs/guide.md': '# Guide\n',
      'docs/fr/index.md': '# Accueil\n',
      'docs/fr/guide.md': '# Guide en français\n',
    },
    page: 'docs/guide.md',
    to: 'docs/start/guide.md',
    moved: ['docs/fr/guide.md', 'docs/fr/start/guide.md'],
  },
  starlight: {
    tree: {
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ title: 'x', defaultLocale: 'root', locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr' } } })] }\n",
      'src/content/docs/index.md': '---\ntitle: Home\n---\n',
      'src/content/docs/guide.md': '---\ntitle: Guide\n---\n',
      'src/content/docs/fr/index.md': '---\ntitle: Accueil\n---\n',
      'src/content/docs/fr/guide.md': '---\ntitle: Guide en français\n---\n',
    },
    page: 'src/content/docs/guide.md',
    to: 'src/content/docs/start/guide.md',
    moved: ['src/content/docs/fr/guide.md', 'src/content/docs/fr/start/guide.md'],
  },
  mkdocs: {
    tree: {
      'mkdocs.yml':
        'site_name: x\nplugins:\n  - i18n:\n      docs_structure: suffix\n      languages:\n        - locale: en\n          default: true\n          name: English\n        - locale: fr\n          name: Français\n',
      'docs/index.md': '# Home\n',
      'docs/guide.md': '# Guide\n',
      'docs/index.fr.md': '# Accueil\n',
      'docs/guide.fr.md': '# Guide en français\n',
    },
    page: 'docs/guide.md',
    to: 'docs/start/guide.md',
    moved: ['docs/guide.fr.md', 'docs/start/guide.fr.md'],
  },
  hugo: {
    tree: {
      'hugo.toml':
        'title = "x"\ndefaultContentLanguage = "en"\n\n[languages.en]\ncontentDir = "content/en"\n\n[languages.fr]\ncontentDir = "content/fr"\n',
      'content/en/_index.md': '---\ntitle: Home\n---\n',
      'content/en/guide.md': '---\ntitle: Guide\n---\n',
      'content/fr/_index.md': '---\ntitle: Accueil\n---\n',
      'content/fr/guide.md': '---\ntitle: Guide en français\n---\n',
    },
    page: 'content/en/guide.md',
    to: 'content/en/start/guide.md',
    moved: ['content/fr/guide.md', 'content/fr/start/guide.md'],
  },
  'hugo with languages in file names': {
    tree: {
      'hugo.toml':
        'title = "x"\ndefaultContentLanguage = "en"\n\n[languages.en]\nweight = 1\n\n[languages.fr]\nweight = 2\n',
      'content/_index.md': '---\ntitle: Home\n---\n',
      'content/guide.md': '---\ntitle: Guide\n---\n',
      'content/_index.fr.md': '---\ntitle: Accueil\n---\n',
      'content/guide.fr.md': '---\ntitle: Guide en français\n---\n',
    },
    page: 'content/guide.md',
    to: 'content/start/guide.md',
    moved: ['content/guide.fr.md', 'content/start/guide.fr.md'],
  },
}

describe.each(Object.entries(kinds))('a translation in %s', (_, { root = '', tree, page, to, moved }) => {
  it('goes where its original goes', async () => {
    const { call, text } = await openTree(tree, { root })
    expect(await call('move_page', { from: page, to })).not.toHaveProperty('error')
    expect(await text(moved[0])).toBeUndefined()
    expect(await text(moved[1])).toContain('en français')
  })

  it('goes with its original, or is named when that is deleted', async () => {
    const { call, text } = await openTree(tree, { root })
    const output = await call('delete_page', { path: page })
    expect(output).not.toHaveProperty('error')
    const isGone = (await text(moved[0])) === undefined
    expect(isGone || JSON.stringify(output).includes(moved[0])).toBe(true)
  })
})

const { docusaurus, starlight } = kinds

describe.each([
  ['Docusaurus', docusaurus],
  ['Starlight', starlight],
])('a translation in %s that would move alone', (_, kind) => {
  const { tree, page, moved } = kind ?? { tree: {}, page: '', moved: ['', ''] }
  it('stays, and the tool names the page that decides its place', async () => {
    const { call, text } = await openTree(tree)
    const { error } = await call('move_page', { from: moved[0], to: moved[1] })
    expect(error).toMatchObject({ message: expect.stringContaining(page) as string })
    expect(await text(moved[0])).toContain('en français')
  })

  it('follows a page that has moved without it', async () => {
    const to = moved[1].replace(/^.*start/, page.replace(/[^/]*$/, 'start'))
    const { [page]: original = '', ...rest }: Tree = tree
    const { call, text } = await openTree({ ...rest, [to]: original })
    expect(await call('move_page', { from: moved[0], to: moved[1] })).not.toHaveProperty('error')
    expect(await text(moved[1])).toContain('en français')
  })
})

it('an old URL that no longer works is told once for all languages', async () => {
  const folder = (language: string) => `i18n/${language}/docusaurus-plugin-content-docs/current`
  const { call } = await openTree({
    'docusaurus.config.js':
      'module.exports = { i18n: { defaultLocale: "en", locales: ["en", "fr", "ar", "ko"] }, presets: [["classic", { docs: {} }]] }\n',
    'docs/index.md': '# Home\n',
    'docs/guide.md': '# Guide\n\nIn English.\n',
    // Not translated yet: all are the same.
    ...Object.fromEntries(
      ['ko', 'ar', 'fr'].map((one) => [`${folder(one)}/guide.md`, '# Guide\n\nThe same text.\n']),
    ),
  })
  await call('move_page', { from: 'docs/guide.md', to: 'docs/start/guide.md' })
  expect(await call('check', { onlyNew: true })).toMatchObject({
    problems: [
      { hint: expect.stringContaining('to /docs/start/guide, and the same in ar, fr, ko') as string },
    ],
  })
})

describe('translations that the configuration does not name', () => {
  const mirrored: Tree = {
    'docs/en/mkdocs.yml': 'site_name: x\nnav:\n  - index.md\n  - how-to/graphql.md\n',
    'docs/en/docs/index.md': '# Home\n',
    'docs/en/docs/how-to/graphql.md': '# GraphQL\n',
    'docs/de/docs/index.md': '# Start\n',
    'docs/de/docs/how-to/graphql.md': '# GraphQL auf Deutsch\n',
    'docs/zh-hant/docs/how-to/graphql.md': '# GraphQL zh\n',
    'docs/js/docs/how-to/graphql.md': '# Another product\n',
  }

  it('follow where they stand in a folder of their language beside its own', async () => {
    const { call, text } = await openTree(mirrored)
    const move = { from: 'docs/en/docs/how-to/graphql.md', to: 'docs/en/docs/advanced/graphql.md' }
    expect(await call('move_page', move)).not.toHaveProperty('error')
    expect(await text('docs/de/docs/advanced/graphql.md')).toContain('auf Deutsch')
    expect(await text('docs/zh-hant/docs/advanced/graphql.md')).toContain('zh')
    expect(await text('docs/js/docs/how-to/graphql.md')).toContain('Another')
  })

  it('are named when their original is deleted', async () => {
    const { call } = await openTree(mirrored)
    expect(await call('delete_page', { path: 'docs/en/docs/how-to/graphql.md' })).toMatchObject({
      translationsLeft: ['docs/de/docs/how-to/graphql.md', 'docs/zh-hant/docs/how-to/graphql.md'],
    })
  })
})
