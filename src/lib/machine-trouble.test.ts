import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { AppError } from './errors.ts'
import { MachineTrouble, machineTrouble, troubleFor } from './machine-trouble.ts'

const system = (code: string, more: object = {}): Error => Object.assign(new Error('no'), { code, ...more })
const git = (stderr: string): Error => Object.assign(new AppError('internal', 'git failed'), { stderr })

it.each([
  ['no_space', system('ENOSPC')],
  ['no_space', system('EDQUOT')],
  ['read_only', system('EROFS')],
  ['disk_error', system('EIO')],
  ['no_files', system('EMFILE')],
  ['no_files', system('ENFILE')],
  ['no_memory', system('ENOMEM')],
  ['no_memory', system('EAGAIN', { syscall: 'spawn git' })],
  [
    'no_space',
    Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
  ],
  ['disk_error', Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 778 })],
  [
    'no_space',
    git('fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output\n'),
  ],
  ['no_space', git('Receiving objects:  10% (1/10)\rfatal: cannot store pack file: Disk quota exceeded\n')],
  ['read_only', git('error: unable to create temporary file: Read-only file system\n')],
  ['no_files', git("fatal: cannot open '/a/b': Too many open files\n")],
  ['no_memory', git('fatal: mmap failed: Cannot allocate memory\n')],
  ['no_memory', git('fatal: Out of memory, malloc failed (tried to allocate 5368709121 bytes)\n')],
  ['no_memory', git('fatal: unable to create thread: Resource temporarily unavailable\n')],
  ['no_memory', git('error: cannot fork() for index-pack: Resource temporarily unavailable\n')],
  ['no_files', new AppError('unavailable', 'git could not be started', { cause: system('EMFILE') })],
  ['no_files', new TypeError('fetch failed', { cause: system('EMFILE') })],
  ['no_memory', new Error('x', { cause: new MachineTrouble(troubleFor('no_memory')) })],
])('is %s: %s', (reason, error) => {
  expect(machineTrouble(error)?.reason).toBe(reason)
})

it.each([
  system('ENOENT'),
  system('EAGAIN', { syscall: 'read' }),
  Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 }),
  // What stands in a repository, and what another machine says of itself.
  git("error: invalid path 'guides/: No space left on device'\n"),
  git('remote: fatal: write error: No space left on device\nerror: failed to push some refs\n'),
  new AppError('unavailable', 'The host said: write error: No space left on device'),
  new Error('No space left on device'),
  'ENOSPC',
])('is none of the machine: %s', (error) => {
  expect(machineTrouble(error)).toBeUndefined()
})

it('reads what SQLite throws here', () => {
  let thrown: unknown
  try {
    new DatabaseSync('/nowhere/at/all').close()
  } catch (error) {
    thrown = error
  }
  expect(machineTrouble(thrown)).toMatchObject({ reason: 'disk_error' })
})
