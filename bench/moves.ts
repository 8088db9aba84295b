/**
 * Moves pages of a documentation repository with the agent's tools, and says what is not right after each move: a redirect, the
 * navigation, links, or a copy in another language or version that stayed behind.
 *
 *   node bench/moves.ts --repository path [--root docs] [--pages 8] [--show]
 *
 * Pages are taken from all over the navigation; each is renamed in its folder and moved to another one. Nothing of the repository is stored.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gitBaseTree } from '../src/features/agent/workspace/git-base-tree.ts'
import { translatedPath, translationsOf } from '../src/features/agent/tools/pages/translations.ts'
import { openNavigation } from '../src/site/frameworks/open-navigation.ts'
import { newProblems } from '../src/site/checks/new-problems.ts'
import type { Site } from '../src/site/site.ts'
import { openBlobReader } from '../src/integrations/git/trees/blob-reader.ts'
import { openBase } from '../tests/agent/open-tree.ts'
import { openJudgedRepository } from './judged-repository.ts'

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    root: { type: 'string', default: '' },
    pages: { type: 'string', default: '8' },
    show: { type: 'boolean', default: false },
  },
})
if (values.repository === undefined) throw new Error('Give --repository, the path of a git repository')
const source = resolve(values.repository)
const read = (...words: string[]): string =>
  execFileSync('git', ['-C', source, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim()
const { root } = values

const folder = await mkdtemp(join(tmpdir(), 'docwright-moves-'))
try {
  const repository = await openJudgedRepository(
    folder,
    resolve(source, read('rev-parse', '--git-path', 'objects')),
  )
  await using reader = await openBlobReader(repository)
  const base = gitBaseTree(repository, read('rev-parse', 'HEAD'), reader, new AbortController().signal)
  const { baseView } = await openBase(base, { root })
  const site = await baseView.site()
  const placed = site.pages.filter((path) => site.placeOf(path) !== undefined)
  const main = site.language ?? site.pageFor(placed[0] ?? '')?.language
  const original = (placed.length > 0 ? placed : site.pages)
    .filter((path) => !/(?:^|[/.])_?(?:index|readme)\./i.test(path))
    .filter((path, at) => at % 5 === 0 || (site.pageFor(path)?.language ?? main) === main)
  const count = Number(values.pages)
  const taken = Array.from(
    { length: count },
    (_, at) => original[Math.floor(((at + 0.5) * original.length) / count)],
  )
  console.log(
    `${site.framework}: ${site.pages.length} pages, ${placed.length} placed; aliases: ${site.aliasField}; redirects of the host: ${site.redirectFile}; redirects: ${site.redirects.size}; language: ${site.language}`,
  )
  let right = 0
  let moves = 0
  for (const [at, from] of [...new Set(taken)].entries()) {
    if (from === undefined) continue
    const other = original.find(
      (path) =>
        folderOf(path) !== folderOf(from) &&
        site.pageFor(path)?.language === site.pageFor(from)?.language &&
        site.pageFor(path)?.version === site.pageFor(from)?.version,
    )
    const name = from.slice(folderOf(from).length)
    const to =
      at % 2 === 0 || other === undefined
        ? `${folderOf(from)}${name.replace(/(?=\.\w+$)/, '-renamed')}`
        : `${folderOf(other)}${name}`
    const tools = await openBase(base, { root })
    const result = await tools.call('move_page', { from, to })
    moves++
    const faults =
      typeof result.error === 'string' ? [`refused: ${result.error}`] : await faultsOf(tools, site, from, to)
    const isRight = faults.every((fault) => fault.startsWith('('))
    if (isRight) right++
    console.log(`${isRight ? 'right' : 'WRONG'} ${from} -> ${to}`)
    for (const fault of faults.slice(0, 12)) console.log(`      ${fault}`)
    console.log(`      ${JSON.stringify({ ...result, changed: undefined }).slice(0, 600)}`)
    if (values.show)
      for (const [path, lines] of Object.entries(await tools.diff()))
        console.log(`        ${path}\n${[lines].flat().slice(0, 12).join('')}`)
  }
  console.log(`${right} of ${moves} moves right`)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function faultsOf(
  { view, baseView, workspace, diff }: Awaited<ReturnType<typeof openBase>>,
  before: Site,
  from: string,
  to: string,
): Promise<string[]> {
  const faults: string[] = []
  const after = await view.site()
  const [old, now] = [before.pageFor(from), after.pageFor(to)]
  if (old === undefined || now === undefined) return [`no page: ${old?.url} ${now?.url}`]
  const navigation = await openNavigation(baseView)
  const hasPlace =
    before.aliasField !== undefined || before.redirectFile !== undefined || navigation?.hasRedirects === true
  const one = (url: string) => url.replace(/(?:\/|\.html|\/index(?:\.html)?)$/, '')
  if (one(old.url) !== one(now.url)) {
    const target = [...after.redirects].find(([url]) => one(url) === one(old.url))?.[1]
    if (target === undefined || one(target.replace(/#.*/, '')) !== one(now.url))
      faults.push(`${hasPlace ? '' : '(no place) '}no redirect from ${old.url} to ${now.url}: ${target}`)
  }
  const [was, is] = [before.placeOf(from), after.placeOf(to)]
  if (was !== undefined && is === undefined) faults.push('left the navigation')
  if (was !== undefined && is !== undefined && folderOf(from) === folderOf(to)) {
    const [old, now] = [before.pages.indexOf(from), after.pages.indexOf(to)]
    if (old !== now) faults.push(`order: ${old} ${now}`)
    if (JSON.stringify(was) !== JSON.stringify(is))
      faults.push(`place: ${JSON.stringify(was)} ${JSON.stringify(is)}`)
  }
  for (const translation of translationsOf(before, from)) {
    const target = translatedPath(translation, from, to)
    if (target === undefined || !workspace.has(target)) faults.push(`translation stayed: ${translation}`)
  }
  for (const problem of await newProblems(baseView, view, {}))
    faults.push(
      `${problem.check === 'redirect' ? '(check) ' : ''}${problem.path}:${problem.line} ${problem.check} ${problem.message} ${problem.href ?? ''}`,
    )
  // Names of the old file that any text still has.
  const changed = new Set(Object.keys(await diff()))
  const bare = from.slice(before.root.length).replace(/\.\w+$/, '')
  const short = bare.split('/').slice(-2).join('/')
  const { matches } = await workspace.grep(short, { limit: 400, regex: false, ignoreCase: false, paths: [] })
  for (const { path, line, text } of matches) {
    const shown = text.trim().slice(0, 160)
    const at = text.indexOf(short)
    if (/[\w-]/.test(text[at - 1] ?? '') || /[\w-]/.test(text[at + short.length] ?? '')) continue
    const isRedirect = changed.has(path) && !/\.(?:mdx?|markdown|rst)$/.test(path)
    if (short.includes('/') && !isRedirect)
      faults.push(`(named): ${path}:${line} ${changed.has(path) ? '(changed) ' : ''}${shown}`)
  }
  return faults
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
