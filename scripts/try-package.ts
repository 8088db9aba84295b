/**
 * Builds and packs the package, installs the packed file into an empty folder without a registry, and tries the
 * installed program on each version of Node: as `npx docwright` and by itself.
 *
 *   npm run try:package [-- 20.20.2 22.23.3]   (the newest of 20, 22 and 24 when none is named)
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { tryServer } from './package/try-server.ts'

const run = promisify(execFile)
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24']
const folder = await mkdtemp(join(tmpdir(), 'docwright-package-'))
try {
  const built = await run(process.execPath, ['scripts/build-package.ts', join(folder, 'package')])
  console.log(built.stdout.trim())
  await run('npm', ['pack', '--pack-destination', folder, join(folder, 'package')])
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  for (const version of versions) {
    const node = await install(`node-${process.platform}-${process.arch}@${version}`)
    const app = join(folder, `app-${version}`)
    await mkdir(app)
    await writeFile(join(app, 'package.json'), '{"private":true}')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed)], { cwd: app })
    const program = join(app, 'node_modules/.bin/docwright')
    const env = {
      HOME: join(folder, `home-${version}`),
      PATH: [dirname(node), process.env['PATH']].join(delimiter),
      PORT: '0',
    }
    const { stdout } = await run(program, ['--version'], { cwd: app, env })
    const tried = await tryServer(program, [], { cwd: app, env })
    const { stdout: nodeVersion } = await run(node, ['--version'])
    console.log(
      `Node ${nodeVersion.trim()}: docwright ${stdout.trim()}, ${tried.pullRequest}, "${tried.answer.slice(0, 60)}…"`,
    )
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function install(name: string): Promise<string> {
  const place = await mkdtemp(join(folder, 'node-'))
  await writeFile(join(place, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', name], { cwd: place })
  return join(place, 'node_modules', name.slice(0, name.indexOf('@')), 'bin/node')
}
