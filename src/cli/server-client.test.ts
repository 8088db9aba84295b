import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createProjectAnswer } from '../../tests/worlds/project-answer.ts'

const project = createProjectAnswer({ domain: 'handbook' })

it('reads a newer server beside an older command, and passes on what only that server knows', async () => {
  const newer = {
    ...project,
    visibility: 'friends',
    sync: { ...project.sync, state: 'resting' },
    colour: 'red',
  }
  const table = await runBeside([newer], 'project', 'show', 'handbook')
  expect(table).toMatchObject({ code: 0, stderr: '' })
  expect(table.stdout).toMatch(/friends[\s\S]*resting/)
  const { stdout } = await runBeside([newer], 'project', 'show', 'handbook', '--json')
  expect(JSON.parse(stdout)).toEqual(newer)
})

it('says one line beside a server whose answers have another shape', async () => {
  const { warnings: _warnings, ...older } = project
  const { code, stdout, stderr } = await runBeside([older], 'project', 'list')
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toMatch(
    /^docwright: The server answered GET \/admin\/projects in a way that this command of version [\d.]+ does not know \(`0\.warnings` is required\): use the command of the server’s version\n$/,
  )
  const page = await runBeside('<!doctype html><title>Sign in</title>', 'project', 'list')
  expect(page).toMatchObject({ code: 3, stdout: '' })
  expect(page.stderr).toMatch(/^docwright: The server answered .* \(it is not JSON\).*\n$/)
})

/** Runs a command whose server answers every request with this. */
async function runBeside(
  answer: unknown,
  ...command: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const body = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const server = createServer((_, response) => void response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const data = await mkdtemp(join(tmpdir(), 'docwright-client-'))
  try {
    await writeFile(join(data, 'server.json'), JSON.stringify({ url: `http://127.0.0.1:${port}` }))
    await writeFile(join(data, 'operator-token'), 'token')
    return await new Promise((resolve) => {
      const program = join(import.meta.dirname, '../../bin/docwright.js')
      execFile(process.execPath, [program, ...command, '--data', data], (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      )
    })
  } finally {
    await rm(data, { recursive: true, force: true })
    server.close()
  }
}
