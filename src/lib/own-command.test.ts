import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandOf, dataOption, ownCommand } from './own-command.ts'

test.each([
  ['a clone', 'file:///clone/src/lib/own-command.ts', '/clone/bin/docwright.js', 'npm run -s docwright --'],
  [
    'npx of another version',
    'file:///x/dist/main.js',
    '/x/_npx/1a2b/node_modules/.bin/docwright',
    'docwright',
  ],
  [
    'the image, or an installation for all',
    'file:///app/dist/main.js',
    '/usr/local/bin/docwright',
    'docwright',
  ],
  [
    'a folder',
    'file:///opt/docwright/node_modules/docwright/dist/main.js',
    '/opt/docwright/node_modules/.bin/docwright',
    '/opt/docwright/node_modules/.bin/docwright',
  ],
  ['its file', 'file:///a b/dist/main.js', '/a b/bin/docwright.js', 'node "/a b/bin/docwright.js"'],
  ['a thread', 'file:///app/dist/part-a.js', '/app/dist/text-thread.js', 'docwright'],
  ['no script', 'file:///app/dist/main.js', undefined, 'docwright'],
])('%s has its own form of a command', (_place, source, script, command) => {
  expect(commandOf(source, script)).toBe(command)
})

test('npx is given the package that it was asked for, never a name that anybody may publish', async () => {
  const cache = join(await mkdtemp(join(tmpdir(), 'docwright-npx-')), '_npx/1a2b')
  await mkdir(cache, { recursive: true })
  const script = join(cache, 'node_modules/.bin/docwright')
  const commandWith = async (packages: string[]) => {
    await writeFile(join(cache, 'package.json'), JSON.stringify({ _npx: { packages } }))
    return commandOf('file:///x/dist/main.js', script)
  }
  expect(await commandWith(['./docwright-0.1.0.tgz'])).toBe('npx ./docwright-0.1.0.tgz')
  expect(await commandWith(['/a b/docwright.tgz'])).toBe('npx "/a b/docwright.tgz"')
  expect(await commandWith([])).toBe('docwright')
})

test('the sources are run by npm', () => {
  expect(ownCommand).toBe('npm run -s docwright --')
})

test('names the data folder of a server that was given one, as a shell reads it', () => {
  expect(dataOption(['node', 'docwright.js', 'serve'])).toBe('')
  expect(dataOption(['node', 'docwright.js', 'serve', '--data', '/srv/data'])).toBe(' --data /srv/data')
  expect(dataOption(['node', 'docwright.js', 'serve', "--data=/srv/it's mine"])).toBe(
    ` --data '/srv/it'\\''s mine'`,
  )
})
