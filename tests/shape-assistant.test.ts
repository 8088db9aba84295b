import { expect, it } from 'vitest'
import { createBareRepository } from './repository.ts'
import { readProject, runCommand, startServer } from './server.ts'

const text = 'This is how it is done, and everything that matters for doing it well.'
const files = {
  '.docwright/assistant.md': `---
starters:
  - How do I rotate a token?
  - /guides How do I install the gadget?
  - What is the weather in Paris today?
refuse: prices
contact: Support https://example.com/help
---

Call readers by “you”.
`,
  'docs/guides/install.md': `---\ntags: [setup]\n---\n# Install the gadget\n\nInstall the gadget with one command. ${text}\n`,
  'docs/guides/staff.md': `---\ngroups: [admin]\n---\n# Price list\n\nWhat a gadget costs for staff. ${text}\n`,
  'docs/guides/tokens.md': `# Tokens\n\n## Rotate a token\n\nRotate a token of the gadget once a year. ${text}\n`,
  'docs/index.md': `# Gadget\n\nA gadget for everyone. ${text}\n`,
}

it('lets a repository and its settings shape the assistant, over HTTP and by command', async () => {
  await using server = await startServer()
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand(server.dataFolder, ...words)
    expect([code, stderr]).toEqual([0, expect.any(String)])
    return stdout
  }
  await run('project', 'add', await createBareRepository(files), '--domain', 'gadget', '--root', 'docs')
  expect((await readProject(server, 'gadget')).pages).toBe(4)
  const key =
    /svc_dsc_\S+/.exec(
      await run(
        'key',
        'create',
        '--kind',
        'assistant',
        '--project',
        'gadget',
        '--origin',
        'https://docs.example.com',
      ),
    )?.[0] ?? ''
  const headers = { origin: 'https://docs.example.com' }
  const starters = async (path = '') => {
    const response = await server.request('GET', `/discovery/v2/assistant/gadget/starters${path}`, {
      key,
      headers,
    })
    expect(response.headers.get('access-control-allow-origin')).toMatch(/\*|https:\/\/docs\.example\.com/)
    expect(response.status).toBe(200)
    return (await response.json()) as { questions: string[] }
  }
  const shown = await run('project', 'show', 'gadget')
  expect(shown).toMatch(
    /assistant +\.docwright\/assistant\.md at [0-9a-f]{10}: 22 characters of instructions/,
  )
  expect((await starters('?path=/guides/install')).questions.slice(0, 2)).toEqual([
    'How do I install the gadget?',
    'How do I rotate a token?',
  ])
  expect(await starters()).toEqual({
    questions: ['How do I rotate a token?', 'How do I install the gadget?'],
  })
  const foreign = await server.request('GET', '/discovery/v2/assistant/gadget/starters', {
    key,
    headers: { origin: 'https://evil.example' },
  })
  expect(foreign.status).toBe(403)
  expect((await server.request('GET', '/discovery/v2/assistant/gadget/starters')).status).toBe(401)

  expect(await run('ask', 'What are the prices?', '--project', 'gadget')).toContain(
    'This assistant does not answer questions about “prices”.',
  )
  await run(
    'project',
    'set',
    'gadget',
    '--assistant-contact',
    'help@example.com',
    '--assistant-starter',
    'How do I install the gadget?',
    '--assistant-instructions',
    'Be brief.',
    '--assistant-refuse',
    'tokens',
  )
  expect(await run('ask', 'How do I rotate tokens?', '--project', 'gadget')).toMatch(
    /questions about “tokens”\.\n\nFor more help, contact \[help@example\.com\]\(mailto:help@example\.com\)/s,
  )
  expect(await run('ask', 'How do I bake bread with yeast?', '--project', 'gadget')).toContain(
    'mailto:help@example.com',
  )
  expect(await starters()).toEqual({ questions: ['How do I install the gadget?'] })
  const refused = await runCommand(
    server.dataFolder,
    'project',
    'set',
    'gadget',
    '--assistant-contact',
    'javascript:alert(1)',
  )
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('must be an email address')])
  await run('project', 'set', 'gadget', '--unset', 'assistantContact')
  expect(await run('ask', 'What are the prices?', '--project', 'gadget')).toContain(
    '(https://example.com/help)',
  )

  const found = async (...filter: string[]) =>
    (
      JSON.parse(await run('search', 'gadget', '--project', 'gadget', '--json', '--filter', ...filter)) as {
        path: string
      }[]
    )
      .map(({ path }) => path)
      .toSorted()
  expect(await found('tag=Setup')).toEqual(['guides/install'])
  const forAll = ['guides/install', 'guides/tokens', 'index']
  expect(await found('group=setup')).toEqual(forAll)
  expect(await found('group=Admin', 'group=other')).toEqual([...forAll, 'guides/staff'].toSorted())
})
