import { readFile, readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

/** What each folder of src/ may import, beside itself. Wiring (main.ts, start/) may import everything. */
const allowed: Record<string, string[]> = {
  lib: [],
  store: ['lib'],
  site: ['lib'],
  integrations: ['site', 'store', 'lib'],
  builtin: ['integrations', 'site', 'lib'],
  features: ['integrations', 'site', 'store', 'lib'],
  answers: ['features', 'integrations', 'site', 'lib'],
  api: ['answers', 'features', 'integrations', 'site', 'store', 'lib'],
  cli: ['answers', 'features', 'integrations', 'store', 'lib'],
  verbs: ['api', 'cli', 'features', 'store', 'lib'],
  nouns: ['verbs', 'answers', 'api', 'cli', 'features', 'integrations', 'site', 'store', 'lib'],
}
/** Which layer a file belongs to: the schemas of what a noun answers stand below the doors that use them. */
const layerOf = (file: string): string =>
  /^nouns\/[^/]+\/(?:answers|inputs)\.ts$/.test(file) ? 'answers' : (file.split('/')[0] ?? '')
/**
 * The folders of the agent from top to bottom: each may import those below it. `.` holds the tables of jobs, turns and
 * events, and what clients do with them.
 */
const agent = [
  'loop',
  'hosts',
  'review',
  'start',
  'publish',
  'outgoing',
  'model',
  'tools',
  'turns',
  'policy',
  'workspace',
  '.',
  'webhooks',
]
const wiring = new Set(['start', 'main.ts', 'config.ts'])
/** Folders in which files and folders still import each other in a circle, to be taken apart. None is to be added. */
const tangled: string[] = []
const root = resolve(import.meta.dirname, '../src')
/** The widget, which stands beside `src`, shares no code with it. */
const folders = [root, resolve(root, '../web/widget')]

const files = (await Promise.all(folders.map(filesIn))).flat()
const imports = new Map(await Promise.all(files.map(async (file) => [file, await importsOf(file)] as const)))

it('imports only downwards through the layers', () => {
  const wrong = edges().filter(([from, to]) => {
    const [above, below] = [layerOf(from), layerOf(to)]
    return !wiring.has(above) && above !== below && !allowed[above]?.includes(below)
  })
  expect(wrong.map(([from, to]) => `${from} → ${to}`)).toEqual([])
})

it('names no command in what other doors say too, but by how this process is started', async () => {
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const),
  )
  const commands = texts.flatMap(([, text]) =>
    [...text.matchAll(/\.command\(\s*'([a-z-]+)/g)].map(([, name = '']) => name),
  )
  expect(commands).toContain('connect')
  // What only a person at the server can do is named with `ownCommand`; the rest has a form and a setting as well.
  const word = `(?:${['project', 'people', 'job', 'key', 'gap', ...commands].join('|')})`
  const named = new RegExp(`(?:["“]|docwright )${word} ${word}\\b`)
  const terminal = new Set(['cli', 'nouns', 'verbs'])
  const wrong = texts.filter(
    ([file, text]) =>
      !terminal.has(file.split('/')[0] ?? '') && !file.endsWith('.test.ts') && named.test(text),
  )
  expect(wrong.map(([file, text]) => `${file}: ${named.exec(text)?.[0]}`)).toEqual([])
})

it('loads nothing of the server for the commands of the terminal', async () => {
  const main = await readFile(join(root, 'main.ts'), 'utf8')
  const commands = [...main.matchAll(/import\('\.\/((?:cli|nouns)\/[^']+)'\)/g)].map(([, file = '']) => file)
  const answers = files.filter((file) => /^nouns\/[^/]+\/answers\.ts$/.test(file))
  const loaded = new Set(['main.ts', ...commands, ...answers])
  for (const file of loaded) for (const next of await importsOf(file, 'values')) loaded.add(next)
  const names = [...loaded]
  expect(names).toContain('nouns/keys/print.ts')
  const needed = new Set(['store/postgres/address.ts', 'integrations/forges/merging.ts'])
  const server = /^(?:store|api|builtin|integrations(?!\/git\/))\//
  expect(names.filter((file) => server.test(file) && !needed.has(file))).toEqual([])
  const packages = await Promise.all(names.map(packagesOf))
  expect([...new Set(packages.flat())].toSorted()).toEqual([
    '@hono/zod-openapi',
    'commander',
    'stemmer',
    'uuid',
    'zod',
  ])
})

it('keeps features from knowing each other', () => {
  const wrong = edges().filter(([from, to]) => {
    const [a, b] = [from.split('/'), to.split('/')]
    return a[0] === 'features' && b[0] === 'features' && a[1] !== b[1]
  })
  expect(wrong.map(([from, to]) => `${from} → ${to}`)).toEqual([])
})

it('imports only downwards through the folders of the agent', () => {
  const levelOf = (file: string): number | undefined => {
    const [layer, feature, ...rest] = file.split('/')
    if (layer !== 'features' || feature !== 'agent') return undefined
    return agent.indexOf(rest.length === 1 ? '.' : (rest[0] ?? ''))
  }
  const wrong = edges().filter(([from, to]) => {
    const [above, below] = [levelOf(from), levelOf(to)]
    return above === -1 || (above !== undefined && below !== undefined && above > below)
  })
  expect(wrong.map(([from, to]) => `${from} → ${to}`)).toEqual([])
})

it('has no import cycle', () => {
  const state = new Map<string, 'open' | 'done'>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]): void => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    state.set(file, 'open')
    for (const next of imports.get(file) ?? []) visit(next, [...path, file])
    state.set(file, 'done')
  }
  for (const file of imports.keys()) visit(file, [])
  expect(cycles).toEqual([])
})

it('has no circle between the files and folders of one folder', () => {
  const folders = [...new Set(files.flatMap(foldersOf))]
  const found = folders.filter((folder) => {
    const parts = partsOf(folder)
    return [...parts].some(([part, below]) =>
      [...below].some((other) => other !== part && isReached(other, part, parts)),
    )
  })
  expect(found.toSorted()).toEqual(tangled)
})

it('reads what it checks', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(edges().length).toBeGreaterThan(100)
})

/** The folders that a file lies in, but for the root. */
function foldersOf(file: string): string[] {
  const names = file.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

/** What each file and folder in a folder imports of the others there. */
function partsOf(folder: string): Map<string, Set<string>> {
  const partOf = (file: string) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined
  const parts = new Map<string, Set<string>>()
  for (const [from, to] of edges()) {
    const [above, below] = [partOf(from), partOf(to)]
    if (above !== undefined && below !== undefined)
      parts.set(above, (parts.get(above) ?? new Set()).add(below))
  }
  return parts
}

/** Whether one part imports another, itself or by way of others. */
function isReached(from: string, to: string, parts: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const reached = new Set([from])
  for (const part of reached) for (const next of parts.get(part) ?? []) reached.add(next)
  return reached.has(to)
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true }))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => relative(root, join(folder, file)).replaceAll('\\', '/'))
}

function edges(): [from: string, to: string][] {
  return [...imports].flatMap(([from, list]) => list.map((to): [string, string] => [from, to]))
}

/** The packages that a file loads at once. */
async function packagesOf(file: string): Promise<string[]> {
  const text = (await readFile(join(root, file), 'utf8')).replaceAll(/^import type [^']*'[^']*'$/gm, '')
  const found = text.matchAll(/^(?:import|import .* from|\} from) '([^.'][^']*)'$/gm)
  return [...found].flatMap(([, name = '']) => (name.startsWith('node:') ? [] : name))
}

/** @param only `values`: what the file loads at once, without types and what it imports when it needs it */
async function importsOf(file: string, only?: 'values'): Promise<string[]> {
  const whole = await readFile(join(root, file), 'utf8')
  const text =
    only === undefined ? whole : whole.replaceAll(/^import type [^']*'[^']*'$|\bimport\('[^']*'\)/gm, '')
  const found = text.matchAll(/(?:from|import|import\()\s*['"](\.{1,2}\/[^'"]+)['"]/g)
  return [...found].map(([, path = '']) =>
    relative(root, resolve(root, file, '..', path)).replaceAll('\\', '/'),
  )
}
