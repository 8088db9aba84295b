/**
 * Builds and packs the package and tries the packed file on each version of Node, without a registry: by `npx`, and
 * installed, with all that a newcomer does, a backup and a check of pages. Versions that are too old have to say so.
 *
 *   npm run try:package [-- 20.20.2 22.23.3]   (the newest of 20, 22 and 24 when none is named)
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { tryServer } from './package/try-server.ts'

const run = promisify(execFile)
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24']
const tooOld = ['18', '21']
const folder = await mkdtemp(join(tmpdir(), 'docwright-package-'))
try {
  const built = await run(process.execPath, ['scripts/build-package.ts', join(folder, 'package')])
  console.log(built.stdout.trim())
  await run('npm', ['pack', '--pack-destination', folder, join(folder, 'package')])
  const packed = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '')
  const app = join(folder, 'app')
  await mkdir(app)
  await writeFile(join(app, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], { cwd: app })
  const program = join(app, 'node_modules/.bin/docwright')
  for (const version of versions) await tryOn(version, program, packed)
  for (const version of tooOld) await tryRefusal(version, program)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function tryOn(version: string, program: string, packed: string): Promise<void> {
  const node = await installNode(version)
  const { env, place } = await homeOf(version, node)
  // npx takes a path that begins with a slash for a script.
  const npx = await run('npx', ['--yes', '--offline', `./${relative(place, packed)}`, '--version'], {
    cwd: place,
    env,
  })
  const site = join(place, 'site')
  await mkdir(site)
  await writeFile(join(site, 'index.md'), '# One page\n\nIt is [alone](#one-page).\n')
  await run('git', ['init', '--quiet', site])
  const tried = await tryServer(program, [], { cwd: place, env }, async () => {
    const backup = join(place, 'all.backup')
    await run(program, ['backup', backup], { cwd: place, env })
    await run(program, ['restore', '--check', backup], { cwd: place, env })
    await run(program, ['check', '--folder', site], { cwd: place, env })
  })
  console.log(
    `Node ${await versionOf(node)}: npx runs ${npx.stdout.trim()}, ${tried.pullRequest}, "${tried.answer.slice(0, 60)}…", a backup, a check`,
  )
}

async function tryRefusal(version: string, program: string): Promise<void> {
  const node = await installNode(version)
  const { env, place } = await homeOf(version, node)
  const said = await run(program, [], { cwd: place, env }).then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr) : ''),
  )
  if (!/^Docwright needs Node [^\n]+\n$/.test(said)) throw new Error(`On Node ${version} it said "${said}"`)
  console.log(`Node ${await versionOf(node)}: ${said.trim()}`)
}

async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const place = await mkdtemp(join(folder, 'node-'))
  await writeFile(join(place, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: place })
  return join(place, 'node_modules', name, 'bin/node')
}

async function homeOf(version: string, node: string): Promise<{ env: NodeJS.ProcessEnv; place: string }> {
  const place = join(folder, `on-${version}`)
  await mkdir(place)
  const path = [dirname(node), process.env['PATH']].join(delimiter)
  return { env: { HOME: place, PATH: path, PORT: '0' }, place }
}

async function versionOf(node: string): Promise<string> {
  return (await run(node, ['--version'])).stdout.trim()
}
