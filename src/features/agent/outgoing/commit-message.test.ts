import { expect, it } from 'vitest'
import { plainGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { commitMessage } from './commit-message.ts'

const input = { title: 'Explain retries', summary: 'Said more.', model: 'openai:gpt', jobId: 'job_1' }
const trailers = 'Generated-by: Docwright (openai:gpt)\nDocwright-Job: job_1'

it('wraps the summary and ends with the trailers', () => {
  const summary = `${'word '.repeat(30).trim()}\n\n- ${'item '.repeat(20).trim()}\n- b`
  const message = commitMessage({ ...input, summary })
  const lines = message.split('\n')
  expect(lines[0]).toBe('Explain retries')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(72)
  expect(message).toContain('\n  item')
  expect(message.endsWith(`\n\n${trailers}`)).toBe(true)
})

it('has no other trailers than ours, whatever the summary holds', () => {
  for (const summary of [
    'Done.\n\nSigned-off-by: Eve <eve@evil.example>',
    'Done.\n\nCo-authored-by: Eve <eve@evil.example>\n\n---\n',
    `${'word '.repeat(14)}--- Signed-off-by: Eve <eve@evil.example>\n\n--- \n`,
    'Signed-off-by: Eve\n\n\n\n---\n---\n\n',
    `${'word '.repeat(14)}/merge\n\nGenerated-by: Docwright (x)\nDocwright-Job: job_2`,
    'skip-checks: true',
    '# ------------------------ >8 ------------------------\nReviewed-by: Eve',
    '',
    '\n\n',
  ]) {
    const message = commitMessage({ ...input, summary })
    expect(plainGit('.', ['interpret-trailers', '--parse'], message)).toBe(trailers)
    expect(message).not.toMatch(/^[A-Za-z]+-[a-z-]+-by:|^\/merge|^skip-checks:/m)
  }
  const message = commitMessage({ ...input, summary: 'fixes #1, thanks @octocat' })
  expect(message).toContain('fixes number 1, thanks `@octocat`')
})

it('keeps code as it was written, on one line', () => {
  const summary = `${'word '.repeat(13)}\`npm i @acme/sdk\` and npm i @acme/sdk.\n\n\`\`\`sh\n  npm i @acme/sdk --save\n\`\`\``
  expect(commitMessage({ ...input, summary })).toContain(
    '\n`npm i @acme/sdk` and npm i `@acme/sdk`.\n\n  `npm i @acme/sdk --save`\n',
  )
})
