/**
 * Builds the program in one piece, as the package has it, for the servers of a run: to load it costs a process half of what
 * the thousand files of the source cost. It names its commands as the source does. Run by itself: `node
 * tests/build-program.ts <folder>`; what Node is given is then `<folder>/bin/docwright.js`.
 */
import { cp, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleProgram } from '../scripts/package/bundle-program.ts'

const root = resolve(import.meta.dirname, '..')
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node tests/build-program.ts <folder>')

const ownCommand = join(root, 'src/lib/own-command.ts')
const asSource = {
  name: 'commands-of-the-source',
  transform: {
    filter: { id: ownCommand },
    handler: (code: string) =>
      code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(ownCommand).href)),
  },
}
/** What is run has no test to end with. */
const withoutTests = {
  name: 'without-tests',
  resolveId: (id: string) => (id === 'vitest' ? id : null),
  load: (id: string) => (id === 'vitest' ? 'export const onTestFinished = undefined' : null),
}
await bundleProgram(
  {
    root,
    folder: join(folder, 'dist'),
    target: 'node24',
    entries: { 'killed-runner': 'tests/worlds/killed-runner.ts' },
    plugins: [asSource, withoutTests],
  },
  new Map(),
)
await cp(join(root, 'scripts/package/docwright.js'), join(folder, 'bin/docwright.js'))
// As the package says it: without, Node parses every file twice to find out.
await writeFile(join(folder, 'package.json'), '{"type":"module"}\n')
