import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { git } from './repository.ts'
import { createFakeOrigin } from './worlds/hosts/fake-origin.ts'
import { startFakeGitHub } from './worlds/hosts/github/github-server.ts'
import { programPath, startServer } from './server.ts'

const run = promisify(execFile)
const reports = { check: 'gl-code-quality-report.json', impact: 'docwright-impact.md' }
const deploy = resolve(import.meta.dirname, '../deploy')

const action = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().optional() })),
  outputs: z.record(z.string(), z.object({ value: z.string() })).optional(),
  runs: z.object({
    steps: z.tuple([z.object({ env: z.record(z.string(), z.string()), run: z.string() })]),
  }),
})

/** Runs the step of an action as GitHub does: inputs by way of variables. */
async function runAction(
  name: 'check' | 'job' | 'impact',
  inputs: Record<string, string>,
  options: { cwd?: string; environment?: Record<string, string> } = {},
): Promise<{ code: number; stdout: string; stderr: string; outputs: Record<string, string> }> {
  const text = await readFile(join(deploy, 'github-action', name, 'action.yml'), 'utf8')
  const { inputs: known, outputs = {}, runs } = action.parse(parse(text))
  const [step] = runs.steps
  expect(step.run).not.toContain('${{')
  const given = Object.fromEntries(
    Object.entries(step.env).map(([variable, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? ''
      expect(known).toHaveProperty([input])
      return [variable, inputs[input] ?? known[input]?.default ?? '']
    }),
  )
  const file = join(await mkdtemp(join(tmpdir(), 'docwright-action-')), 'output')
  await writeFile(file, '')
  const env = {
    ...process.env,
    ...given,
    DOCWRIGHT_COMMAND: `${process.execPath} ${await programPath()}`,
    ...options.environment,
    GITHUB_OUTPUT: file,
  }
  const result = await run('bash', ['-eo', 'pipefail', '-c', step.run], { env, cwd: options.cwd }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => z.object({ code: z.number(), stdout: z.string(), stderr: z.string() }).parse(error),
  )
  const written = Object.fromEntries(
    (await readFile(file, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  for (const { value } of Object.values(outputs))
    if (name === 'job' && result.code === 0)
      expect(written).toHaveProperty([/outputs\.([\w-]+) /.exec(value)?.[1] ?? ''])
  return { ...result, outputs: written }
}

it('checks a pull request with the action, against the base that GitHub names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-checked-'))
  const work = join(folder, 'work')
  await mkdir(join(folder, 'first'))
  await git(join(folder, 'first'), 'init', '-q', '-b', 'main')
  await writeFile(join(folder, 'first', 'index.md'), '# Home\n\n[Old](old.md)\n')
  await git(join(folder, 'first'), 'add', '-A')
  await git(join(folder, 'first'), 'commit', '-q', '-m', 'Start')
  await run('git', ['clone', '-q', `file://${join(folder, 'first')}`, work])
  await writeFile(join(work, 'new.md'), '# New\n\n[Gone](gone.md)\n')
  expect(await runAction('check', {}, { cwd: work, environment: { GITHUB_BASE_REF: 'main' } })).toMatchObject(
    {
      code: 1,
      stdout: expect.stringMatching(/^::error file=new\.md,line=3,title=link::[^\n]+\n$/),
    },
  )
  const all = await runAction('check', { base: 'none' }, { cwd: work, environment: { GITHUB_BASE_REF: '' } })
  expect(all.stdout.trim().split('\n')).toHaveLength(2)
  await writeFile(join(work, 'new.md'), '# New\n')
  const clean = await runAction('check', {}, { cwd: work, environment: { GITHUB_BASE_REF: 'main' } })
  expect(clean).toMatchObject({ code: 0, stdout: '' })
})

it('runs a job with the action, once for each run, and names the pull request', async () => {
  await using server = await startServer()
  const { projectId: project, adminKey: key } = server.welcome
  const inputs = { url: `${server.url}/`, project, key, prompt: 'Replace "Quickstart" with "First steps"' }
  const environment = { GITHUB_RUN_ID: '7', GITHUB_JOB: 'docs' }
  const first = await runAction('job', inputs, { environment })
  expect(first).toMatchObject({ code: 0, outputs: { outcome: 'changed', status: 'completed' } })
  expect(first.outputs['pull-request']).toContain(`${server.url}/projects/`)
  const again = await runAction('job', inputs, { environment })
  expect(again.outputs['job-id']).toBe(first.outputs['job-id'])
  const unclear = await runAction(
    'job',
    { ...inputs, prompt: 'Sing' },
    { environment: { GITHUB_RUN_ID: '8' } },
  )
  expect(unclear).toMatchObject({ code: 1, stdout: expect.stringContaining('did not understand the prompt') })
  const ended = { id: 'job_1', title: 'T', status: 'failed', state: 'cancelled', outcome: 'failed' }
  const body = JSON.stringify({ ...ended, failure: { code: 'cancelled', message: 'cancelled' } })
  const elsewhere = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  const address = elsewhere.address()
  const url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
  expect(await runAction('job', { ...inputs, url })).toMatchObject({
    code: 4,
    stdout: 'Job cancelled: job_1\n',
    outputs: { status: 'failed', state: 'cancelled', outcome: 'failed' },
  })
  elsewhere.close()
  const refused = await runAction('job', { ...inputs, key: 'svc_wrong' })
  expect(refused).toMatchObject({ code: 2, outputs: {}, stderr: expect.stringContaining('Invalid API key') })
})

async function serveGitHub(origin: Parameters<typeof startFakeGitHub>[0]) {
  const fake = await startFakeGitHub(origin)
  fake.tokens.set('ghp_read', { contents: 'read', metadata: 'read', pull_requests: 'read' })
  return { ...fake, [Symbol.asyncDispose]: () => fake.server[Symbol.asyncDispose]() }
}

it('says on a pull request which pages it touches, in one comment that is edited, without a server', async () => {
  const origin = { ...(await createFakeOrigin()), forget: () => undefined }
  await using fake = await serveGitHub(origin)
  origin.push('main', 'src/limits.ts', 'export const maxUploadSize = 5\n')
  origin.push('main', 'docs/limits.md', '# Limits\n\nSet `maxUploadSize` to allow larger files.\n')
  origin.push('rename', 'src/limits.ts', 'export const maxTransferSize = 5\n')
  const pull = { number: 1, title: 'Rename', body: '', owner: 'acme', head: 'rename', base: 'main' }
  const none = { labels: [] as string[], reviewers: [], assignees: [] }
  const state = { draft: false, maintainer_can_modify: true, state: 'open' as const, mergedAt: null }
  fake.pulls.push({ ...pull, ...none, ...state, sha: origin.head('rename') ?? '' })
  const copy = join(await mkdtemp(join(tmpdir(), 'docwright-previewed-')), 'work')
  await run('git', ['clone', '-q', '--branch', 'rename', `file://${origin.folder}`, copy])
  const summary = join(await mkdtemp(join(tmpdir(), 'docwright-summary-')), 'summary')
  const environment = {
    GITHUB_BASE_REF: 'main',
    GITHUB_REF: 'refs/pull/1/merge',
    GITHUB_SERVER_URL: fake.server.origin,
    GITHUB_REPOSITORY: 'acme/docs',
    GITHUB_STEP_SUMMARY: summary,
    GITEA_ACTIONS: '',
  }
  const preview = (token: string) => runAction('impact', { root: 'docs', token }, { cwd: copy, environment })
  const reads = await preview('ghp_read')
  expect([reads.code, fake.said]).toEqual([0, []])
  expect(reads.stderr).toMatch(/No comment was written: /)
  for (let count = 0; count < 2; count++) {
    const { code, stdout, stderr } = await preview('ghp_all')
    expect([code, stderr]).toEqual([0, expect.stringContaining('Comment and status kept up to date.')])
    expect(stdout).toMatch(/^\*\*1 certain, 0 likely, /)
  }
  expect(fake.said.map(({ body }) => body)).toEqual([expect.stringContaining('`docs/limits.md:3`')])
  expect(fake.statuses[0]?.body).toMatchObject({
    description: expect.stringMatching(/^Documentation: 1 certain/),
  })
  expect(await readFile(summary, 'utf8')).toContain('**1 certain')
  fake.pulls[0]?.labels.push('docs: none')
  await preview('ghp_all')
  expect(fake.said.map(({ body }) => body)).toEqual([expect.stringContaining('Documentation: left out')])
  await origin[Symbol.asyncDispose]()
})

it('has components for GitLab that declare every input they use', async () => {
  for (const name of ['check', 'job', 'impact']) {
    const text = await readFile(join(deploy, 'gitlab/templates', `${name}.yml`), 'utf8')
    const [head, body] = parseAllDocuments(text).map((document) => document.toJS() as Record<string, object>)
    const { inputs } = z.object({ inputs: z.record(z.string(), z.unknown()) }).parse(head?.['spec'])
    const used = [...JSON.stringify(body).matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, input]) => input)
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)))
    expect(
      JSON.stringify(Object.values(body ?? {}).map((job) => ('script' in job ? job.script : ''))),
    ).not.toContain('$[[')
  }
})

it('runs nothing that nobody has named, least of all with a key at hand', async () => {
  const environment = { DOCWRIGHT_COMMAND: '' }
  for (const name of ['check', 'job', 'impact'] as const) {
    const { code, stderr } = await runAction(name, {}, { environment })
    expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining('DOCWRIGHT_COMMAND: is not set')])
    const text = await readFile(join(deploy, 'gitlab/templates', `${name}.yml`), 'utf8')
    const jobs = z.record(z.string(), z.object({ script: z.array(z.string()) }))
    const [job] = Object.values(jobs.parse(parseAllDocuments(text)[1]?.toJS()))
    const ended = run('sh', ['-ec', (job?.script ?? []).join('\n')], {
      env: { ...process.env, ...environment },
    })
    await expect(ended).rejects.toThrow('DOCWRIGHT_COMMAND')
  }
})

it('starts npm where no file of a working copy counts', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'docwright-copy-'))
  const where = join(await mkdtemp(join(tmpdir(), 'docwright-where-')), 'where')
  await writeFile(where, '#!/bin/sh\npwd\nexit 9\n', { mode: 0o755 })
  const environment = { DOCWRIGHT_COMMAND: where, GITHUB_BASE_REF: '' }
  const isElsewhere = (told: string): boolean => /^\/.+\n$/.test(told) && told.trim() !== copy
  for (const name of ['check', 'job', 'impact'] as const) {
    const { code, stdout } = await runAction(name, { base: 'none' }, { cwd: copy, environment })
    expect([name, code, stdout]).toEqual([name, 9, expect.toSatisfy(isElsewhere)])
    const text = await readFile(join(deploy, 'gitlab/templates', `${name}.yml`), 'utf8')
    const jobs = z.record(z.string(), z.object({ script: z.array(z.string()) }))
    const [job] = Object.values(jobs.parse(parseAllDocuments(text)[1]?.toJS()))
    const env = { ...process.env, ...environment, ROOT: '', STRICT: 'false', MINUTES: '1', PROMPT: 'x' }
    const ended = run('sh', ['-ec', (job?.script ?? []).join('\n')], { env, cwd: copy })
    const printed = await ended.then(
      () => '',
      (error: unknown) => z.object({ stdout: z.string() }).parse(error).stdout,
    )
    const told = name === 'job' ? printed : await readFile(join(copy, reports[name]), 'utf8')
    expect([name, told]).toEqual([name, expect.toSatisfy(isElsewhere)])
  }
})
