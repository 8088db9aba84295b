import { expect, test } from 'vitest'
import { commandOf, ownCommand } from './own-command.ts'

test.each([
  ['a clone', 'file:///clone/src/lib/own-command.ts', '/clone/bin/docwright.js', 'npm run -s docwright --'],
  ['npx', 'file:///x/dist/main.js', '/home/ann/.npm/_npx/1a2b/node_modules/.bin/docwright', 'npx docwright'],
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
  ['a thread', 'file:///app/dist/part-a.js', '/app/dist/text-thread.js', 'npx docwright'],
  ['no script', 'file:///app/dist/main.js', undefined, 'npx docwright'],
])('%s has its own form of a command', (_place, source, script, command) => {
  expect(commandOf(source, script)).toBe(command)
})

test('the sources are run by npm', () => {
  expect(ownCommand).toBe('npm run -s docwright --')
})
