import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMintlify } from '../tests/generators/read-mintlify.ts'
import { readMyst } from '../tests/generators/read-myst.ts'
import type { Generator } from './try-generators.ts'

const theBase = '/base/'
const tests = join(import.meta.dirname, '../tests/generators')

/** Generators that need an app around the site, or a program that this machine has. */
export const appGenerators: Readonly<Record<string, Generator>> = {
  docusaurus: {
    site: 'docusaurus',
    name: 'Docusaurus',
    packages: {
      npm: [
        '@docusaurus/core',
        '@docusaurus/preset-classic',
        '@docusaurus/plugin-client-redirects',
        'react',
        'react-dom',
      ],
    },
    prepare: ({ source }) => writeFileSync(join(source, 'package.json'), '{}'),
    build: ({ bin, out }) => [join(bin, 'docusaurus'), 'build', '--no-minify', '--out-dir', out],
    base: theBase,
    text: ['div.theme-doc-markdown'],
    sidebar: 'ul.theme-doc-sidebar-menu',
    // A page that is not translated is shown again in each language; lists of categories are made.
    skipped: /^\/fr\/(?!docs\/next\/intro$)/,
  },
  starlight: {
    site: 'starlight',
    name: 'Starlight',
    packages: { npm: ['@astrojs/starlight', 'astro'] },
    build: ({ bin, source, out }) => [join(bin, 'astro'), 'build', '--root', source, '--outDir', out],
    base: theBase,
    text: ['main'],
    sidebar: 'ul.top-level',
    skipped: /^\/fr\/(?!$|guides\/one\/)/,
  },
  nuxt: {
    site: 'nuxt',
    name: 'Nuxt Content',
    packages: { npm: ['@nuxt/content', 'nuxt', 'better-sqlite3'] },
    prepare: prepareNuxt,
    build: ({ bin, source }) => [join(bin, 'nuxt'), 'generate', source],
    base: '/',
    text: ['main'],
    sidebar: 'nav',
    skipped: /^\/(?:list-of-all\/|200|404)/,
  },
  antora: {
    site: 'antora',
    name: 'Antora',
    packages: { npm: ['@antora/cli', '@antora/site-generator'] },
    prepare: prepareAntora,
    build: ({ bin, home }) => [join(bin, 'antora'), join(home, 'playbook.yml')],
    base: '/',
    text: ['article', 'main', 'body'],
    sidebar: 'nav',
    skipped: /^\/404/,
  },
  myst: {
    site: 'myst',
    name: 'mystmd',
    packages: { npm: ['mystmd'] },
    // Its theme comes from a host of its own. What is read here is written before.
    isLeftUnfinished: true,
    build: ({ bin }) => [join(bin, 'myst'), 'build', '--site', '--ci'],
    base: '/',
    text: [],
    sidebar: 'nav',
    read: ({ source }) => readMyst(join(source, '_build/site/content')),
  },
  mintlify: {
    site: 'mintlify',
    name: 'Mintlify',
    // Its host builds the site. What renders a page and what finds dead links (`mint broken-links`) are in its packages.
    packages: { npm: ['mint'] },
    prepare: ({ home }) => writeFileSync(join(home, 'read.mjs'), checkMintlify),
    build: ({ home, source, out }) => [
      process.execPath,
      join(home, 'read.mjs'),
      source,
      join(out, 'pages.json'),
    ],
    base: '/',
    text: [],
    sidebar: 'nav',
    read: ({ out }) => readMintlify(join(out, 'pages.json')),
  },
  zensical: {
    site: 'material',
    name: 'Zensical',
    packages: { pip: ['zensical'] },
    build: ({ bin, source }) => [join(bin, 'zensical'), 'build', '-f', join(source, 'mkdocs.yml')],
    finish: ({ source, out }) => cpSync(join(source, 'site'), out, { recursive: true }),
    base: '/',
    text: ['article'],
    sidebar: 'nav.md-nav--primary',
    skipped: /^\/404/,
  },
  jekyll: {
    site: 'jekyll',
    name: 'Jekyll',
    packages: { program: 'jekyll' },
    build: ({ source, out }) => ['jekyll', 'build', '-q', '-s', source, '-d', out, '--disable-disk-cache'],
    base: theBase,
    text: ['main', 'body'],
    sidebar: 'nav',
  },
  'github-pages': {
    site: 'github-pages',
    name: 'Jekyll as on GitHub Pages',
    packages: { program: 'jekyll' },
    prepare: prepareGitHubPages,
    build: ({ source, out }) => [
      'jekyll',
      'build',
      '-q',
      '-s',
      source,
      '-d',
      out,
      '--disable-disk-cache',
      '--config',
      `${join(source, '_config.yml')},${join(source, 'plugins.yml')}`,
    ],
    base: theBase,
    text: ['main', 'body'],
    sidebar: 'nav',
  },
}

/** Renders the pages as its server does, and looks at links as its command line does. */
const checkMintlify = `import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getMDXOptions, preprocessCustomHeadingIds } from '@mintlify/common'
import { buildGraph } from '@mintlify/link-rot'
const near = createRequire(import.meta.resolve('@mintlify/common'))
const places = near.resolve.paths('@mintlify/mdx').map((one) => join(one, '@mintlify/mdx/dist/server/index.js'))
const { serialize } = await import(places.find(existsSync))
const [source, out] = process.argv.slice(2)
const idsOf = async (path) => {
  const [headings, ids] = [[], []]
  const read = ({ name, tagName, attributes = [], properties = {}, children = [] }) => {
    const find = (key) => attributes.find((one) => one.name === key)?.value
    const id = find('id') ?? properties.id ?? null
    const level = find('level')?.value ?? find('level') ?? /^h([1-6])$/.exec(name ?? tagName)?.[1]
    if (level !== undefined) headings.push([Number(level), id])
    else if (id !== null) ids.push(id)
    children.forEach(read)
  }
  const mdxOptions = getMDXOptions({
    data: { path, snippetTreeMap: {}, pageMetadata: {}, tailwindSelectors: [] },
    mdxExtracts: {},
    rehypePlugins: [() => read],
  })
  await serialize({ source: preprocessCustomHeadingIds(readFileSync(join(source, path), 'utf8')), mdxOptions })
  return { headings, ids }
}
const graph = await buildGraph(source, { checkSnippets: true })
const broken = new Set(graph.getBrokenInternalLinks({ checkAnchors: true }))
const pages = []
for (const { label, headingSlugs, paths } of Object.values(graph.nodes))
  if (headingSlugs !== null)
    pages.push({ label, ...(await idsOf(label)), dead: paths.filter((one) => broken.has(one)).map((one) => one.originalPath) })
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, JSON.stringify(pages))
`

/** The plugins that GitHub has turned on for each site, as far as they make pages, addresses or links. */
function prepareGitHubPages({ source }: Parameters<NonNullable<Generator['prepare']>>[0]): void {
  const plugins = ['optional-front-matter', 'readme-index', 'relative-links', 'titles-from-headings']
  const settings = {
    plugins: plugins.map((name) => `jekyll-${name}`),
    // The theme of such a site comes from a gem.
    defaults: [{ scope: { path: '' }, values: { layout: 'default' } }],
  }
  // JSON is YAML.
  writeFileSync(join(source, 'plugins.yml'), JSON.stringify(settings))
  mkdirSync(join(source, '_layouts'))
  writeFileSync(join(source, '_layouts/default.html'), '<body><main>{{ content }}</main></body>\n')
}

/** A page for all of the content, and one that links to each, so that all are found. */
function prepareNuxt({ source, out }: Parameters<NonNullable<Generator['prepare']>>[0]): void {
  const pages = join(source, 'app/pages')
  mkdirSync(pages, { recursive: true })
  writeFileSync(
    join(source, 'nuxt.config.ts'),
    `export default defineNuxtConfig({
  modules: ['@nuxt/content'],
  telemetry: false,
  compatibilityDate: '2025-07-01',
  content: { experimental: { sqliteConnector: 'native' } },
  nitro: {
    output: { publicDir: ${JSON.stringify(out)} },
    prerender: { crawlLinks: true, routes: ['/list-of-all'], failOnError: false },
  },
})
`,
  )
  writeFileSync(join(source, 'package.json'), '{"private":true,"type":"module"}')
  writeFileSync(join(source, 'app/app.vue'), '<template><NuxtPage /></template>\n')
  writeFileSync(
    join(pages, '[...slug].vue'),
    `<script setup>
const route = useRoute()
const path = decodeURI(route.path)
const { data: page } = await useAsyncData('p' + route.path, () => queryCollection('content').path(path).first())
const { data: nav } = await useAsyncData('nav', () => queryCollectionNavigation('content'))
const flat = (items) => (items ?? []).flatMap((one) => [...(one.page === false ? [] : [one]), ...flat(one.children)])
const list = computed(() => flat(nav.value).filter((one, at, all) => all[at - 1]?.path !== one.path))
if (!page.value) throw createError({ statusCode: 404, fatal: true })
</script>
<template><div><nav><a v-for="i in list" :key="i.path" :href="i.path">{{ i.title }}</a></nav><main><ContentRenderer :value="page" /></main></div></template>
`,
  )
  // Slots are shown by the component that a page names.
  const components = join(source, 'app/components/content')
  mkdirSync(components, { recursive: true })
  writeFileSync(
    join(components, 'Card.vue'),
    '<template><div><slot /><slot name="footer" /></div></template>\n',
  )
  writeFileSync(
    join(pages, 'list-of-all.vue'),
    `<script setup>
const { data } = await useAsyncData('all', () => queryCollection('content').select('path', 'stem').all())
// The search for links takes names with dots for files.
prerenderRoutes(data.value.map(({ path }) => encodeURI(path)))
</script>
<template><div><a v-for="i in data" :key="i.path" :href="i.path">{{ i.stem }}</a></div></template>
`,
  )
}

/** Antora reads repositories of git, and needs a theme. */
function prepareAntora({ home, source, out }: Parameters<NonNullable<Generator['prepare']>>[0]): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', source, ...args], { stdio: 'ignore' })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'site')
  const ui = join(home, 'ui')
  rmSync(ui, { recursive: true, force: true })
  cpSync(join(tests, 'antora-ui'), ui, { recursive: true })
  const playbook = {
    site: { title: 'Edge', url: 'https://example.com' },
    content: { sources: [{ url: source, branches: 'HEAD' }] },
    ui: { bundle: { url: ui } },
    output: { dir: out },
    runtime: { cache_dir: join(home, 'cache') },
  }
  // JSON is YAML.
  writeFileSync(join(home, 'playbook.yml'), JSON.stringify(playbook))
}
