import { access, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLint } from './create-lint.ts'
import { findProgram, linterPrograms } from './linter-programs.ts'
import { installFake, treeOf } from '../../../tests/worlds/fake-program.ts'
import type { LintMessage } from '../../site/checks/lint.ts'
import { foundMistakes, hostileRepository, mistakenPages } from '../../../tests/worlds/real-programs.ts'
import recorded from '../../../tests/worlds/linter-output.json' with { type: 'json' }

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docwright-linters-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const path = process.env['PATH'] ?? ''
const programs = ['markdownlint-cli2', 'cspell'] as const
const found = await Promise.all(programs.map((name) => findProgram(name, path)))
const expected = inOrder(foundMistakes)

it('reads what markdownlint-cli2 0.24.1 and cspell 10.0.0 said, and gives them nothing that runs', async () => {
  const bin = join(folder, 'bin')
  const fakes = await Promise.all(programs.map((name) => installFake(folder, name, recorded[name])))
  for (const [index, name] of programs.entries())
    await cp(join(fakes[index]?.path ?? '', name), join(bin, name), { recursive: true })
  const tree = treeOf(hostileRepository(join(folder, 'ran')))
  expect(inOrder(await createLint(linterPrograms(bin))({ tree, pages: mistakenPages }))).toEqual(expected)
  for (const fake of fakes) {
    const { files } = await fake.seen()
    const names = Object.keys(files).filter((name) => !/\.mdx?$/.test(name))
    expect(
      names.filter(
        (name) => !/\/(?:\.markdownlint[\w-]*\.jsonc?|docwright-[\w-]+\.(?:json|txt))$/.test(name),
      ),
    ).toEqual([])
    expect(names.map((name) => files[name]).join('')).not.toContain('evil')
  }
})

// They are not among the dependencies: put them on the PATH to try other versions.
it.skipIf(found.includes(undefined))(
  'finds the same with the installed ones, which run nothing of the repository',
  async () => {
    const marker = join(folder, 'really-ran')
    const tree = treeOf(hostileRepository(marker))
    expect(inOrder(await createLint(linterPrograms(path))({ tree, pages: mistakenPages }))).toEqual(expected)
    await expect(access(marker)).rejects.toThrow('ENOENT')
  },
)

function inOrder(messages: readonly LintMessage[]): LintMessage[] {
  const key = ({ path, line, message }: LintMessage): string => `${path}:${line}:${message}`
  return messages.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
}
