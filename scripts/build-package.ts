/**
 * Builds the npm package: JavaScript that needs no other package and no Node that strips types.
 *
 *   node scripts/build-package.ts [folder]   (.tmp/package when none is named)
 */
import { chmod, cp, mkdir, readFile, rm, stat, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { version } from '../src/lib/version.ts'
import { bundleProgram } from './package/bundle-program.ts'
import { licencesOf } from './package/licences.ts'

const root = resolve(import.meta.dirname, '..')
const target = resolve(process.argv[2] ?? join(root, '.tmp/package'))
const code = join(target, 'dist')

await rm(target, { recursive: true, force: true })
await mkdir(code, { recursive: true })

const copied = new Map<string, string>()
const output = await bundleProgram(
  { root, folder: code, target: 'node20', banner: "import './older-node.js'" },
  copied,
)

await cp(join(root, 'scripts/package/older-node.js'), join(code, 'older-node.js'))
await mkdir(join(target, 'bin'))
await cp(join(root, 'scripts/package/docwright.js'), join(target, 'bin/docwright.js'))
// npm would do that where it installs the package; the image has it without npm.
await chmod(join(target, 'bin/docwright.js'), 0o755)
for (const name of ['README.md', 'LICENSE', 'NOTICE']) await cp(join(root, name), join(target, name))

// The documentation's commands as whoever has the package runs them; the program knows itself how it was started.
for (const file of await filesBelow(target)) {
  if (!/\.mdx?$/.test(file)) continue
  const text = await readFile(file, 'utf8')
  const changed = text.replaceAll('npm run -s docwright --', 'docwright')
  if (changed !== text) await writeFile(file, changed)
}

const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
const licences = await licencesOf([...modules, ...copied.values()])
await writeFile(join(target, 'THIRD-PARTY-LICENSES.txt'), licences.text)
await writeFile(join(target, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`)

console.log(
  `${target}: ${output.filter(({ type }) => type === 'chunk').length} files of code, ${copied.size} files and folders beside them, ${licences.count} packages inside, ${Math.round((await sizeOf(target)) / 1e5) / 10} MB`,
)

// Nothing of what the repository needs to be developed: all other packages are inside.
async function manifest(): Promise<object> {
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, unknown>
  if (own['version'] !== version)
    throw new Error(`package.json says ${String(own['version'])}, src/lib/version.ts ${version}`)
  const { name, description, license, type } = own
  return {
    name,
    version,
    description,
    license,
    type,
    keywords: ['documentation', 'docs', 'agent', 'assistant', 'git', 'self-hosted'],
    bin: { docwright: 'bin/docwright.js' },
    files: ['bin', 'dist', 'NOTICE', 'THIRD-PARTY-LICENSES.txt'],
    engines: { node: '^20.18 || >=22.8' },
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all((await filesBelow(folder)).map(async (file) => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
