import { describe, expect, it } from 'vitest'
import { writeReview } from '../../lib/prompts/review-prompt.ts'
import { runToEnd, workspaceOf, type Workspace } from '../../../tests/worlds/memory-workspace.ts'

const quickstart = `---
title: Quickstart
description: Start here
---

# Quickstart

Install Acme first, see [Acme docs](https://acme.dev/Acme/x).

\`\`\`bash
npx Acme init
\`\`\`

Acmeify is another word. Run \`Acme\` now.
`
const install =
  '# Install\n\nInstall Acme. Then recieve mail.\n\nSee [old](/guides/gone) and [setup](/guides/setup).\n'
const setup =
  '# Setup\n\nSet Acme up. Recieved it with Github, git hub, not `Github`.\n\n## Next steps\n\nGo on.\n\n## Last\n\nEnd.\n'
const navigation = '{"name": "Acme", "nav": [{"title": "Setup", "page": "guides/setup"}]}\n'

const site = (more: Partial<Workspace> = {}, files: Record<string, string> = {}) =>
  workspaceOf(
    {
      'quickstart.md': quickstart,
      'guides/install.md': install,
      'guides/setup.md': setup,
      'docs.json': navigation,
      ...files,
    },
    more,
  )

describe('ignoring problems', () => {
  const prompt = 'Ignore problems of the kind link in "docs/a.md" with the text "gone.md"'
  const path = '.docwright/ignore.yml'

  it('adds an entry to a new file', async () => {
    const workspace = site()
    const done = await runToEnd(prompt, workspace)
    expect(workspace.files.get(path)).toBe(
      'ignore:\n  - kind: link\n    path: docs/a.md\n    text: gone.md\n',
    )
    expect(done.changed).toEqual([path])
    expect(done.title).toBe('Ignore link problems in docs/a.md')
  })

  it('adds an entry to those that are there', async () => {
    const workspace = site({}, { [path]: '# Ours\nignore:\n- kind: title # all\n' })
    await runToEnd(prompt, workspace)
    expect(workspace.files.get(path)).toBe(
      '# Ours\nignore:\n- kind: title # all\n- kind: link\n  path: docs/a.md\n  text: gone.md\n',
    )
  })

  it('says why an entry cannot be added', async () => {
    const workspace = site({}, { [path]: 'other: 1\n' })
    const done = await runToEnd(prompt, workspace)
    expect([done.changed, done.noChange]).toEqual([[], true])
    expect(done.summary).toContain('it has no list named `ignore`: add the entry')
  })
})

describe('replacing a text', () => {
  it('changes the prose of the named page and leaves code, addresses and longer words', async () => {
    const workspace = site()
    const done = await runToEnd('Replace "Acme" with "Globex" in the quickstart page', workspace)
    expect(done.changed).toEqual(['quickstart.md'])
    expect(workspace.files.get('quickstart.md')).toBe(
      quickstart.replaceAll(/(?<![/`]|npx )\bAcme\b/g, 'Globex'),
    )
    expect(done.title).toBe('Replace "Acme" with "Globex" in Quickstart')
    expect(done.summary).toContain('`quickstart.md`: 2 replacements (line 8)')
    expect(done.summary).toContain('1 place, first at `quickstart.md:8`, in link targets and addresses')
  })

  it('finds the guide page among hundreds of pages', async () => {
    const pages = Array.from({ length: 300 }, (_, n) => [`section/page-${n}.md`, `# Page ${n}\n\nAcme.\n`])
    const workspace = site({}, { ...Object.fromEntries(pages), 'guide.md': '# Welcome\n\nAcme.\n' })
    const done = await runToEnd('Replace "Acme" with "Globex" in the guide page', workspace)
    expect(done.changed).toEqual(['guide.md'])
  })

  it('makes few edits of very many changes, and changes nothing between them', async () => {
    const lines = Array.from({ length: 2000 }, (_, n) => (n % 3 === 0 ? `Acme ${n}.` : `Line ${n}.`))
    const workspace = site({}, { 'big.md': `# Big\n\n${lines.join('\n')}\n` })
    const done = await runToEnd('Replace "Acme" with "Globex" in the big page', workspace)
    expect(workspace.files.get('big.md')).toBe(`# Big\n\n${lines.join('\n').replaceAll('Acme', 'Globex')}\n`)
    const edits = done.calls.flatMap(({ input }) => input['edits'] ?? [])
    expect([done.summary.includes('667 places'), edits.length < 20]).toEqual([true, true])
  })

  it('changes prose alone when the text was not quoted', async () => {
    const workspace = site()
    await runToEnd('Replace Acme with Globex everywhere', workspace)
    expect(workspace.files.get('quickstart.md')).toContain('npx Acme init')
    expect(workspace.files.get('quickstart.md')).toContain('Install Globex first')
    expect(workspace.files.get('docs.json')).toBe(navigation)
  })

  it('finds a term that a line break divides', async () => {
    const workspace = site({}, { 'a.md': 'This is Acme\n  Cloud for you.\n\nThe Acme Cloud.\n' })
    await runToEnd('Replace "Acme Cloud" with "Globex" everywhere', workspace)
    expect(workspace.files.get('a.md')).toBe('This is Globex\n  for you.\n\nThe Globex.\n')
  })

  it('leaves commands and endpoints alone for a quoted name, and says how to change them too', async () => {
    const page = 'The users see `GET /users`.\n\n```bash\nnpm run users\n```\n'
    const workspace = site({}, { 'api.md': page })
    const done = await runToEnd('Replace "users" with "members" in api.md', workspace)
    expect(workspace.files.get('api.md')).toBe(page.replace('The users', 'The members'))
    expect(done.summary).toContain('2 places, first at `api.md:1`, in code (say “including code”')
    await runToEnd('Replace "users" with "members" in api.md, including code', workspace)
    expect(workspace.files.get('api.md')).toBe(page.replaceAll('users', 'members'))
  })

  it('changes a number only where the line says what it counts', async () => {
    const page =
      'The port is 4000.\n\nOpen <http://localhost:4000/x>. It takes 4000 characters.\n\n```bash\nserve --port 4000\ndocker run -p 4000:4000 x\n```\n\n```js\napp.listen(4000)\n```\n'
    const workspace = site({}, { 'a.md': page })
    const done = await runToEnd('Change the port from 4000 to 8080', workspace)
    const wanted = page.replaceAll('4000', '8080').replace('8080 characters', '4000 characters')
    expect(workspace.files.get('a.md')).toBe(wanted)
    expect(done.summary).toContain(
      '1 place, first at `a.md:3`, in places that do not say that the number means this',
    )
  })

  it('knows a number by a whole word close to it, with no other number in between', async () => {
    const page =
      'Import 4000 files and support 4000 users.\n\nThe port 3000 and 4000 things.\n\n`DOCS_PORT=4000`, serverPort: 4000.\n'
    const workspace = site({}, { 'a.md': page })
    await runToEnd('Change the port from 4000 to 8080', workspace)
    expect(workspace.files.get('a.md')).toBe(page.replace(/=4000.*/s, '=8080`, serverPort: 8080.\n'))
  })

  it('takes the unit of a number into account', async () => {
    const page = 'The timeout is 30 seconds. After 30 minutes of timeout it ends.\n'
    const workspace = site({}, { 'a.md': page })
    await runToEnd('Change the default timeout from 30 to 60 seconds', workspace)
    expect(workspace.files.get('a.md')).toBe(page.replace('30 seconds', '60 seconds'))
  })

  it('leaves longer names, paths and identifiers alone', async () => {
    const page =
      'Node runs Node.js and @Node/x in app.**use**(path, \\[Node\\]). See /Node and Node/x, Node() or **Node.** Then (Node).\n'
    const workspace = site({}, { 'a.md': page })
    const done = await runToEnd('Replace "Node" with "Deno" in a.md', workspace)
    const wanted = page
      .replace('Node runs', 'Deno runs')
      .replace('**Node.**', '**Deno.**')
      .replace('(Node)', '(Deno)')
    expect(workspace.files.get('a.md')).toBe(wanted)
    expect(done.summary).toContain('in longer names, paths or addresses')
  })

  it('changes parts of names in code only, where code is asked for', async () => {
    const workspace = site({}, { 'a.md': 'Node and Node.js, `Node.js` and `Node.x`.\n' })
    await runToEnd('Replace "Node" with "Deno" in a.md, including code', workspace)
    expect(workspace.files.get('a.md')).toBe('Deno and Node.js, `Deno.js` and `Deno.x`.\n')
  })

  it('changes an endpoint as a whole, in prose and code, but not as a part of an address', async () => {
    const page = 'Call `/items/` or /items/ but not `/items/1`, https://a.dev/items/ and /my/items/.\n'
    const workspace = site({}, { 'a.md': page })
    await runToEnd('Replace /items/ with /things/', workspace)
    const wanted = 'Call `/things/` or /things/ but not `/items/1`, https://a.dev/items/ and /my/items/.\n'
    expect(workspace.files.get('a.md')).toBe(wanted)
  })

  it('changes a quoted text in code if it stands only there, and says so', async () => {
    const page = 'Text.\n\n```bash\nnpm i hono\n```\n'
    const workspace = site({}, { 'a.md': page })
    const done = await runToEnd('Replace "npm i hono" with "npm add hono"', workspace)
    expect(workspace.files.get('a.md')).toBe(page.replace('npm i', 'npm add'))
    expect(done.summary).toContain('in code, because it stands nowhere in prose')
  })

  it('does not guess whether a page or a word is to be renamed', async () => {
    const done = await runToEnd('Rename Setup to Installation', site())
    expect([done.noChange, done.changed]).toEqual([true, []])
    expect(done.summary).toContain('`Rename the page "Setup" to "Installation"`')
  })

  it('leaves addresses of one’s own machine with http', async () => {
    const page =
      '[a](http://a.dev/x) and http://localhost:3000, [b](http://127.0.0.1/), [c](http://server/x)\n'
    const workspace = site({}, { 'a.md': page })
    const done = await runToEnd('Replace http:// with https:// in all links', workspace)
    expect(workspace.files.get('a.md')).toBe(page.replace('http://a.dev', 'https://a.dev'))
    expect(done.summary).toContain(
      '3 places, first at `a.md:1`, in addresses of one’s own machine or network',
    )
  })

  it('corrects English misspellings only in English', async () => {
    const workspace = site(
      {},
      { 'es/a.md': 'Hacemos todo lo posible por responder y resolver los problemas rápidamente.\n' },
    )
    const done = await runToEnd('Fix typos', workspace)
    expect(done.changed).not.toContain('es/a.md')
    expect(done.summary).toContain('`es/a.md`: it does not look like English')
  })

  it('takes back what the policy refuses, and says so', async () => {
    const violations = ['guides/setup.md:3: It holds <script> and [a link](javascript:a)']
    const refusal = { ok: false, message: 'No', violations, problems: [] }
    const workspace = site({ refusals: [refusal] })
    const done = await runToEnd('Replace "Acme" with "Globex"', workspace)
    expect(done.calls.at(-3)).toEqual({ tool: 'revert_file', input: { path: 'guides/setup.md' } })
    expect(done.summary).toContain(
      'because the policy does not allow it:\n\n- guides/setup.md:3: It holds \\<script> and \\[a link\\](javascript:a)',
    )
  })

  it('points all links elsewhere by the beginning of their addresses', async () => {
    const page = '[a](http://a.dev) and `http://c.dev` in [http://d.dev](http://d.dev)\n'
    const workspace = site({}, { 'a.md': page })
    await runToEnd('Replace http:// with https:// in all links', workspace)
    expect(workspace.files.get('a.md')).toBe(page.replaceAll(/(?<=\()http:/g, 'https:'))
  })

  it('does not change a front matter value that the new text would break', async () => {
    const page = '---\ntitle: Port of Acme\n---\n\nA port.\n'
    const workspace = site({}, { 'a.md': page })
    await runToEnd('Replace "port" with "gate: \'new\'" in a.md, ignoring case', workspace)
    expect(workspace.files.get('a.md')).toBe(page.replace('A port', "A gate: 'new'"))
  })

  it('does not change text that is the new text already', async () => {
    const workspace = site({}, { 'a.md': 'Acme Cloud and Acme.\n' })
    await runToEnd('Replace "Acme" with "Acme Cloud" in a.md', workspace)
    expect(workspace.files.get('a.md')).toBe('Acme Cloud and Acme Cloud.\n')
  })

  it('changes what readers see of front matter and components, and nothing else of them', async () => {
    const page =
      '---\ntitle: Port of Acme\nslug: port\n---\n\nimport Port from "./port.mdx"\n\n<Card title="The port" href="/port">A port</Card> <!-- port -->\n'
    const workspace = site({}, { 'a.mdx': page })
    await runToEnd('Replace "port" with "gate" in a.mdx', workspace)
    const wanted = page.replace('"The port"', '"The gate"').replace('A port<', 'A gate<')
    expect(workspace.files.get('a.mdx')).toBe(wanted)
  })

  it('reads a file again that has changed meanwhile', async () => {
    const failures = [{ tool: 'edit_file', error: { code: 'stale', message: 'It has changed' } }]
    const done = await runToEnd('Replace "Go on" with "Continue" in the setup page', site({ failures }))
    expect(done.changed).toEqual(['guides/setup.md'])
    expect(done.calls.map((call) => call.tool).filter((tool) => tool === 'read_file')).toHaveLength(2)
  })

  it('reports a file that may not be changed', async () => {
    const failures = [{ tool: 'edit_file', error: { code: 'forbidden', message: 'This page is protected' } }]
    const done = await runToEnd('Replace "Go on" with "Continue" everywhere', site({ failures }))
    expect(done.noChange).toBe(true)
    expect(done.summary).toContain('This page is protected')
  })

  it('reads all parts of long files at once, and no text that programs make for models', async () => {
    const long = `${'Some line.\n'.repeat(8000)}Acme.\n`
    const workspace = workspaceOf({ 'a.md': long, 'llms-full.txt': 'Acme.\n' })
    const done = await runToEnd('Replace "Acme" with "Globex"', workspace)
    expect(done.changed).toEqual(['a.md'])
    expect(done.steps).toBeLessThan(8)
    expect(done.summary).toContain('`llms-full.txt`: not documentation pages')
  })

  it('goes through more files than one answer or one search holds', async () => {
    const files: Record<string, string> = {}
    for (let n = 0; n < 130; n++) files[`many/p${n}.md`] = 'Zebra one.\n'.repeat(20)
    const workspace = site({}, files)
    const done = await runToEnd('Replace "Zebra" with "Okapi" in many/', workspace)
    expect(done.changed).toHaveLength(130)
    expect([...workspace.files.values()].some((text) => text.includes('Zebra'))).toBe(false)
  })
})

describe('typos and terms', () => {
  it('corrects a known misspelling with its endings and capitals', async () => {
    const workspace = site()
    const done = await runToEnd('Fix the typos', workspace)
    expect(done.changed).toEqual(['guides/install.md', 'guides/setup.md'])
    expect(workspace.files.get('guides/setup.md')).toContain('Received it')
  })

  it('does not mistake a correct word for a misspelled one with an ending', async () => {
    const page = 'It installs successfully.\n\nIt was successfull.\n'
    const workspace = site({}, { 'a.md': page })
    await runToEnd('Fix the typos in a.md', workspace)
    expect(workspace.files.get('a.md')).toBe(page.replace('successfull.', 'successful.'))
  })

  it('uses one spelling of a term in prose, not in code', async () => {
    const workspace = site()
    await runToEnd('Use "GitHub" instead of "Github", "git hub"', workspace)
    expect(workspace.files.get('guides/setup.md')).toContain('with GitHub, GitHub, not `Github`')
  })

  it.each([
    ['glossary.yml', 'GitHub: [Github, git hub]\n'],
    ['docs/glossary.json', '{"terms": [{"term": "GitHub", "variants": ["Github", "git hub"]}]}'],
    ['glossary.md', '# Glossary\n\n| Term | Not |\n| --- | --- |\n| GitHub | Github, git hub |\n'],
    ['glossary.yaml', 'terms:\n  GitHub:\n    not: Github, git hub\n'],
  ])('takes terms from %s', async (path, text) => {
    const workspace = site({}, { [path]: text })
    await runToEnd('Apply the glossary in guides/', workspace)
    expect(workspace.files.get('guides/setup.md')).toContain('with GitHub, GitHub, not `Github`')
    expect(workspace.files.get(path)).toBe(text)
  })
})

describe('versions', () => {
  const update = async (prompt: string, text: string, path = 'a.md') => {
    const workspace = site({}, { [path]: text })
    const done = await runToEnd(prompt, workspace)
    return { text: workspace.files.get(path), summary: done.summary }
  }

  it.each([
    ['Uses Acme 1.49.', 'Uses Acme 1.50.'],
    ['Uses Acme v1.49.2 here.', 'Uses Acme v1.50 here.'],
    ['Uses **Acme** 1.49.', 'Uses **Acme** 1.50.'],
    ['```bash\nnpm i acme@1.49.0\n```', '```bash\nnpm i acme@1.50\n```'],
    ['```json\n{ "acme": "^1.49.0" }\n```', '```json\n{ "acme": "^1.50" }\n```'],
    ['```txt\nacme==1.49\n```', '```txt\nacme==1.50\n```'],
  ])('are updated from whatever stands there: %j', async (before, after) => {
    expect((await update('Update Acme to 1.50', `${before}\n`)).text).toBe(`${after}\n`)
  })

  it.each([
    'Since Acme 1.30 this works.',
    'It was added in Acme 1.30.',
    'Needs Acme 1.40 or later, or Acme 1.40+.',
    'Acme 1.40 and Acme 1.45 differ.',
    'Acme 2.0 is newer, Acme 1 is less exact.',
    '## Acme 1.40',
    '| Version | Works |\n| --- | --- |\n| Acme 1.40 | no |',
    'If you are using Acme 1.40, install a plugin. A guide for Acme 1.40.',
    'Acme 5 times as fast, BigAcme 1.4, Acme-cli 1.4.',
    '[Acme](https://x.dev/acme@1.40) is code in `Acme 1.40`.',
  ])('stay where the text may mean another one: %s', async (text) => {
    const done = await update('Update Acme to 1.50', `${text}\n`)
    expect(done.text).toBe(`${text}\n`)
    expect(done.summary).not.toContain('a.md`: 1 replacement')
  })

  it('are found for names with hyphens', async () => {
    expect((await update('Bump my-acme-kit to v0.12.0', 'my-acme-kit 0.11.1 is out.\n')).text).toBe(
      'my-acme-kit 0.12.0 is out.\n',
    )
  })

  it('stay on pages about earlier versions', async () => {
    const done = await update('Bump Acme from 1.4 to 1.5', 'Acme 1.4 came.\n', 'changelog.md')
    expect(done.text).toBe('Acme 1.4 came.\n')
    expect(done.summary).toContain('`changelog.md`: it is about earlier versions')
    const named = await update(
      'Bump Acme from 1.4 to 1.5 in changelog.md',
      'Acme 1.4 came.\n',
      'changelog.md',
    )
    expect(named.text).toBe('Acme 1.5 came.\n')
  })

  it('stay in other languages, whose ranges are not recognised', async () => {
    const text = 'Confirma que está instalado Acme 1.4 o posterior.\n'
    const done = await update('Update Acme to 1.5', text, 'es.md')
    expect(done.text).toBe(text)
    expect(done.summary).toContain('`es.md`: it does not look like English')
  })

  it.each([
    [
      '```toml\nrequires = ["acme_build>=0.12.5,<0.13"]\n```',
      '```toml\nrequires = ["acme_build>=0.13.0,<0.14"]\n```',
    ],
    [
      '```sh\ncurl https://acme.dev/acme/0.12.5/install.sh\n```',
      '```sh\ncurl https://acme.dev/acme/0.13.0/install.sh\n```',
    ],
    [
      '```docker\nFROM ghcr.io/acme-sh/acme:0.12.5-alpine AS a\n```',
      '```docker\nFROM ghcr.io/acme-sh/acme:0.13.0-alpine AS a\n```',
    ],
    [
      '```yaml\n- repo: https://x.dev/acme-pre-commit\n  # The version.\n  rev: 0.12.5\n- repo: https://x.dev/other\n  rev: 0.12.5\n```',
      '```yaml\n- repo: https://x.dev/acme-pre-commit\n  # The version.\n  rev: 0.13.0\n- repo: https://x.dev/other\n  rev: 0.12.5\n```',
    ],
    [
      '```yaml\nvariables:\n  ACME_VERSION: "0.12.5"\n```',
      '```yaml\nvariables:\n  ACME_VERSION: "0.13.0"\n```',
    ],
    [
      'Get [it](https://acme.dev/acme/0.12.5/install.sh), e.g. `x/acme:0.12.5`.',
      'Get [it](https://acme.dev/acme/0.13.0/install.sh), e.g. `x/acme:0.13.0`.',
    ],
    ['Uses Acme v0.12.5 here.', 'Uses Acme v0.13.0 here.'],
  ])('of a release are changed in tags, addresses, ranges and settings: %j', async (before, after) => {
    expect((await update('Bump acme from 0.12.5 to 0.13.0', `${before}\n`)).text).toBe(`${after}\n`)
  })

  it.each([
    ['Since Acme 0.12.5 this works.', 'earlier version'],
    ['## Acme 0.12.5', 'headings'],
    ['Other 0.12.5 is a number, as in `scipy>=0.12.5`.', 'do not say that the number means this'],
    ['See https://x.dev/acme/compare/0.12.4...0.12.5 too.', 'earlier version'],
    ['```toml\na = "acme<0.12.5"\n```', 'range'],
    ['The tag `x/acme:0.12` is less exact.', 'less exact'],
    ['Acme 0.12.5 or later.', 'range'],
    ['Acme 0.12.50, Acme 10.12.5, Acme 0.12.5-rc1.', 'has `0.12.5` as a version'],
  ])('of a release that stay are listed: %s', async (text, why) => {
    const done = await update('Bump acme from 0.12.5 to 0.13.0', `${text}\n`)
    expect(done.text).toBe(`${text}\n`)
    expect(done.summary).toContain(why)
  })

  it('are changed with their range if the lowest one is meant', async () => {
    const done = await update('Update the minimum Acme version from 18 to 20', 'You need Acme 18 or later.\n')
    expect(done.text).toBe('You need Acme 20 or later.\n')
  })
})

describe('a question to the person', () => {
  const files = { 'a/intro.md': '# Intro\n\nA.\n', 'b/intro.md': '# Intro\n\nB.\n' }

  it('is asked where a page is ambiguous, and its answer is understood', async () => {
    const prompt = 'Delete the page "Intro"'
    const asked = await runToEnd(prompt, workspaceOf(files, { canAsk: true }))
    expect(asked.calls.at(-1)?.tool).toBe('ask_person')
    const { question, choices } = asked.calls.at(-1)?.input ?? {}
    expect([question, choices]).toEqual([
      '“Intro” matches several pages. Which one do you mean?',
      ['a/intro.md: Intro', 'b/intro.md: Intro'],
    ])
    const said = `${String(question)}\n\n- a/intro.md (Intro; suggested)\n- b/intro.md (Intro)`
    const earlier: Parameters<typeof runToEnd>[3] = [
      { role: 'user', content: [{ type: 'text', text: prompt }] },
      { role: 'assistant', content: [{ type: 'text', text: said }] },
    ]
    const workspace = workspaceOf(files, { canAsk: true })
    await runToEnd('b/intro.md', workspace, 100, earlier)
    expect([...workspace.files.keys()]).toEqual(['a/intro.md'])
    const done = await runToEnd('the good one', workspaceOf(files, { canAsk: true }), 100, earlier)
    expect([done.title, done.changed]).toEqual(['Not understood', []])
  })

  it('is asked where the title of one page is the file name of another, but not of a translation', async () => {
    const webhooks = { 'api/webhooks.md': '# Webhooks\n' }
    const guide = { ...webhooks, 'guides/webhooks.md': '# Receive webhooks\n' }
    const asked = await runToEnd('Delete the webhooks page', workspaceOf(guide, { canAsk: true }))
    expect(asked.calls.at(-1)?.input['choices']).toEqual([
      'api/webhooks.md: Webhooks',
      'guides/webhooks.md: Receive webhooks',
    ])
    const translated = workspaceOf({ ...webhooks, 'zh/api/webhooks.md': '# 网络钩子\n' }, { canAsk: true })
    await runToEnd('Delete the webhooks page', translated)
    expect([...translated.files.keys()]).toEqual(['zh/api/webhooks.md'])
  })
})

describe('broken links', () => {
  const problem = {
    check: 'link',
    path: 'guides/install.md',
    line: 5,
    message: 'leads nowhere',
    href: '/guides/gone',
  }

  it('fixes those with one possible target and lists the rest', async () => {
    const open = {
      ...problem,
      path: 'quickstart.md',
      line: 8,
      href: 'https://acme.dev/Acme/x',
      suggestions: ['/a', '/b'],
    }
    const workspace = site({ problems: [{ ...problem, suggestions: ['/guides/setup'] }, open] })
    const done = await runToEnd('Fix broken links', workspace)
    expect(done.changed).toEqual(['guides/install.md'])
    expect(workspace.files.get('guides/install.md')).toContain(
      '[old](/guides/setup) and [setup](/guides/setup)',
    )
    expect(done.summary).toContain('`quickstart.md:8`: leads nowhere (perhaps `/a` or `/b`)')
  })

  it('changes nothing for a link to the page itself or to a name that is almost the same', async () => {
    for (const [href, suggestion] of [
      ['/guides/gone', '/guides/install'],
      ['/guides/setups', '/guides/setup'],
    ] as const) {
      const files = { 'guides/install.md': `# Install\n\nA.\n\n[old](${href})\n` }
      const workspace = site({ problems: [{ ...problem, href, suggestions: [suggestion] }] }, files)
      const done = await runToEnd('Fix broken links', workspace)
      expect(done.changed, href).toEqual([])
      expect(done.summary).toContain(`(perhaps \`${suggestion}\`)`)
    }
  })

  it('says what was tried and what was not', async () => {
    const notLookedAt = [
      { kind: 'links to other sites', count: 2 },
      { kind: 'links in code', count: 1 },
    ]
    const done = await runToEnd('Fix broken links', site({ looked: { checked: 12, broken: 0, notLookedAt } }))
    expect(done.summary).toContain(
      'No broken links were found. 12 links and images were tried. Not checked: 2 links to other sites, 1 link in code.',
    )
    const plain = await runToEnd('Fix broken links', site())
    expect(plain.summary).toContain('Links to other sites, in code')
  })

  it('says when nothing is broken, and when no target is certain', async () => {
    expect((await runToEnd('Fix broken links in guides/', site())).summary).toContain(
      'No broken links were found',
    )
    const done = await runToEnd('Fix broken links', site({ problems: [problem] }))
    expect([done.noChange, done.changed]).toEqual([true, []])
  })
})

describe('pages', () => {
  it('moves a page into a folder under its own name', async () => {
    const workspace = site()
    const done = await runToEnd('Move the install page to start/', workspace)
    expect(done.calls).toContainEqual({
      tool: 'move_page',
      input: { from: 'guides/install.md', to: 'start/install.md' },
    })
  })

  it('moves a page into the folder that has this name, and into none of several', async () => {
    const files = { 'docs/3.files/4.csv.md': '# CSV\n', 'docs/2.collections/1.define.md': '# Define\n' }
    const workspace = workspaceOf(files)
    await runToEnd('Move the CSV page to 2.collections', workspace)
    expect([...workspace.files.keys()]).toContain('docs/2.collections/4.csv.md')
    const several = workspaceOf({ ...files, 'old/2.collections/1.define.md': '# Old\n' })
    const done = await runToEnd('Move the CSV page to 2.collections', several)
    expect([done.changed, done.summary]).toEqual([[], expect.stringContaining('matches several folders')])
  })

  it('names the places that still hold the address of a page that is gone', async () => {
    const files = { 'b.md': '<Card to="/guides/setup#x">\n\nSee /guides/setups.\n' }
    for (const prompt of ['Delete guides/setup.md', 'Move guides/setup.md to start/setup.md']) {
      const done = await runToEnd(prompt, site({}, files))
      expect(done.summary, prompt).toMatch(/`\/guides\/setup` still stands in .*`b.md:1`/)
      expect(done.summary).not.toContain('b.md:3')
    }
  })

  it('knows a page by its file name without the number that sorts it', async () => {
    const workspace = workspaceOf({
      '1.server.md': '# Server hosting\n',
      '2.serverless.md': '# Serverless\n',
    })
    await runToEnd('Delete the server page', workspace)
    expect([...workspace.files.keys()]).toEqual(['2.serverless.md'])
  })

  it('renames a page in its heading and in the navigation, and keeps its file', async () => {
    const workspace = site()
    const done = await runToEnd('Rename the page "Setup" to "Installation"', workspace)
    expect(done.changed).toEqual(['docs.json', 'guides/setup.md'])
    expect(workspace.files.get('guides/setup.md')).toBe(setup.replace('# Setup', '# Installation'))
    expect(workspace.files.get('docs.json')).toContain('{"title": "Installation", "page": "guides/setup"}')
  })

  it('renames its parent in the pages below it, where pages name that by its title', async () => {
    const example = '---\ntitle: C\nparent: Other\n---\n\n```yaml\nparent: UI Kit\n```\n'
    const files = {
      'c.md': example,
      'ui.md': '---\ntitle: UI Kit\n---\n\nA.\n',
      'b.md': '---\ntitle: B\nparent: UI Kit\n---\n\nB.\n',
    }
    const workspace = workspaceOf(files)
    await runToEnd('Change the title of "UI Kit" to "Kit"', workspace)
    expect(workspace.files.get('b.md')).toContain('parent: Kit\n')
    expect(workspace.files.get('c.md')).toBe(example)
  })

  it('keeps the number of a file that is renamed, and the name of an index', async () => {
    const workspace = workspaceOf({ '2.install.md': '# Install\n', 'a/index.md': '# Tools\n' })
    await runToEnd('Rename the page "Install" to "Setup" and its file', workspace)
    const done = await runToEnd('Rename the page "Tools" to "Helpers" and its file', workspace)
    expect([...workspace.files.keys()].sort()).toEqual(['2.setup.md', 'a/index.md'])
    expect(done.summary).toContain('its folder gives the page its address')
  })

  it('renames the file too when that is asked', async () => {
    const workspace = site()
    await runToEnd('Rename the page "Setup" to "First steps" and its file', workspace)
    expect(workspace.files.has('guides/first-steps.md')).toBe(true)
  })

  it('changes a title in front matter and heading where both have it', async () => {
    const workspace = site()
    await runToEnd('Change the title of the quickstart page to "Get started"', workspace)
    const wanted = quickstart
      .replace('title: Quickstart', 'title: Get started')
      .replace('# Quickstart', '# Get started')
    expect(workspace.files.get('quickstart.md')).toBe(wanted)
  })

  it('deletes a page and turns links to it into text', async () => {
    const workspace = site()
    const done = await runToEnd('Delete the page "Setup"', workspace)
    expect(workspace.files.has('guides/setup.md')).toBe(false)
    expect(workspace.files.get('guides/install.md')).toContain('[old](/guides/gone) and setup.')
    expect(done.summary).toContain('1 link pointed to it')
  })

  it('removes the attributes of a link with it', async () => {
    const workspace = site({}, { 'b.md': 'See [it](/guides/setup){.internal target=_blank} now.\n' })
    await runToEnd('Delete the page "Setup"', workspace)
    expect(workspace.files.get('b.md')).toBe('See it now.\n')
  })

  it('adds a page like its neighbours, in their group', async () => {
    const groups = new Map([['guides/install.mdx', 'Guides']])
    const workspace = workspaceOf(
      { 'guides/install.mdx': '---\ntitle: Install\ndescription: How to\n---\n\nText.\n' },
      { groups },
    )
    const done = await runToEnd(
      'Add a page "What’s new: 2" to the group "guides" with: It helps. More.',
      workspace,
    )
    const text = '---\ntitle: "What’s new: 2"\ndescription: It helps.\n---\n\nIt helps. More.\n'
    expect(workspace.files.get('guides/whats-new-2.mdx')).toBe(text)
    expect(workspace.groups?.get('guides/whats-new-2.mdx')).toBe('Guides')
    expect(done.title).toBe('Add a page "What’s new: 2" to the group "Guides"')
  })

  it('adds a page without a text, which says so', async () => {
    const groups = new Map([['guides/install.mdx', 'Guides']])
    const workspace = workspaceOf({ 'guides/install.mdx': '---\ntitle: Install\n---\n\nText.\n' }, { groups })
    const done = await runToEnd('Add a page about rate limits', workspace)
    expect(workspace.files.get('guides/rate-limits.mdx')).toBe(
      '---\ntitle: Rate limits\n---\n\nThe text of this page about rate limits is still to be written.\n',
    )
    expect(workspace.groups?.get('guides/rate-limits.mdx')).toBe('Guides')
    expect(done.summary).toContain('is left to write')
  })

  it('finds the place of a page in a numbered folder', async () => {
    const workspace = workspaceOf({ '1.start/1.a.md': '# A\n', '2.host-and-deploy/1.b.md': '# B\n' })
    await runToEnd('Add a page "Netlify" to the group "Host and deploy"', workspace)
    expect([...workspace.files.keys()]).toContain('2.host-and-deploy/netlify.md')
  })

  it.each([
    ['Add a page "Setup" in guides/ with: text', 'exists already'],
    ['Add a page "FAQ" to the group "Nope" with: text', 'no group or folder "Nope"'],
    ['Delete the page "Nothing like it"', 'No page matches'],
    ['Replace "Acme" with "Globex" in the zebra page', 'No page matches'],
    ['Replace "Okapi" with "Zebra" everywhere', 'was not found anywhere'],
    ['Add a note to the setup page', 'text is missing'],
    ['Add a note under the heading "Nope" of the setup page: x', 'no heading "Nope"'],
    ['Apply the glossary', 'There is no glossary file'],
    ['Add missing titles', 'Every page has a title'],
  ])('changes nothing and says why: %s', async (prompt, why) => {
    const done = await runToEnd(prompt, site())
    expect([done.noChange, done.changed]).toEqual([true, []])
    expect(done.summary).toContain(why)
  })

  it('deletes no page whose name only holds what was said', async () => {
    const done = await runToEnd('Delete the quick page', site())
    expect([done.noChange, done.changed]).toEqual([true, []])
    expect(done.summary).toContain(
      'No page matches “quick” by path, file name, address or title. Similar pages: `quickstart.md`',
    )
  })

  it('takes a folder rather than a page whose name only holds its path', async () => {
    const text = '# A\n\nThe Acme page.\n'
    const workspace = workspaceOf({ 'docs/cli/a.md': text, 'more-docs/cli.md': text })
    const done = await runToEnd('Replace "Acme" with "Globex" in docs/cli', workspace)
    expect(done.changed).toEqual(['docs/cli/a.md'])
  })

  it('names the candidates of an ambiguous page', async () => {
    const workspace = site({}, { 'a/intro.md': '# Intro\n', 'b/intro.md': '# Intro\n' })
    const done = await runToEnd('Delete the page "Intro"', workspace)
    expect(done.noChange).toBe(true)
    expect(done.summary).toContain('matches several pages: `a/intro.md` (Intro), `b/intro.md` (Intro)')
  })
})

describe('adding texts', () => {
  const body = (text: string) =>
    workspaceOf({ 'a.md': '# A\n\nOne.\n\n## Next\n\nTwo.\n\n## Last\n\nThree.\n', 'style.md': text })

  it.each([
    ['<Note>\nx\n</Note>\n', '<Warning>\nMind.\n</Warning>'],
    [':::note\nx\n:::\n', ':::warning\n\nMind.\n\n:::'],
    ['::note\nx\n::\n', '::warning\nMind.\n::'],
    ['::: tip\nx\n:::\n', '::: warning\nMind.\n:::'],
    ['!!! note\n    x\n', '!!! warning\n\n    Mind.'],
    ['/// note\n\nx\n\n///\n', '/// warning\n\nMind.\n\n///'],
    ['> [!NOTE]\n> x\n', '> [!WARNING]\n> Mind.'],
    ['Nothing.\n', '> **Warning:** Mind.'],
  ])('writes a warning as the repository does: %j', async (style, wanted) => {
    const workspace = body(style)
    await runToEnd('Add a warning to a.md: "Mind."', workspace)
    expect(workspace.files.get('a.md')).toMatch(/Three\.\n\n[^]*\n$/)
    expect(workspace.files.get('a.md')).toContain(`Three.\n\n${wanted}\n`)
  })

  it.each([
    ['Add a paragraph to a.md: "New."', 'Three.\n\nNew.\n'],
    ['Add a paragraph at the top of a.md: "New."', '# A\n\nNew.\n\nOne.\n'],
    ['Add a paragraph under the heading "Next" of a.md: "New."', 'Two.\n\nNew.\n\n## Last\n'],
    [
      'Add a section "More" before the heading "Last" of a.md: "New."',
      'Two.\n\n## More\n\nNew.\n\n## Last\n',
    ],
    ['Add a section "More" to a.md: "New."', 'Three.\n\n## More\n\nNew.\n'],
  ])('puts it in its place: %s', async (prompt, wanted) => {
    const workspace = body('x')
    await runToEnd(prompt, workspace)
    expect(workspace.files.get('a.md')).toContain(wanted)
  })

  it('takes a missing description from the page’s first sentence, at most 160 characters', async () => {
    const long = `A ${'very '.repeat(60)}long sentence.`
    const workspace = workspaceOf({
      'a.md':
        '---\ntitle: A\n---\n\nimport X from "x"\n\n> Quote\n\nUse **it** e.g. with [npm](https://npmjs.com). Then more.\n',
      'b.md': `# B\n\n${long}\n`,
      'c.md': '---\ntitle: C\ndescription: Here\n---\n\nText is here.\n',
    })
    const done = await runToEnd('Add missing descriptions', workspace)
    expect(done.changed).toEqual(['a.md', 'b.md'])
    expect(workspace.files.get('a.md')).toContain('description: Use it e.g. with npm.\n')
    const description = /description: (.*)/.exec(workspace.files.get('b.md') ?? '')?.[1] ?? ''
    expect(description.length).toBeLessThanOrEqual(160)
    expect(description).toMatch(/very…$/)
  })
})

describe('missing descriptions', () => {
  it.each([
    [
      'on the next line',
      '---\ntitle: A\ndescription:\n  It stands here already.\n---\n\nText of the page is here.\n',
    ],
    [
      'folded',
      '---\ntitle: A\ndescription: >-\n  It stands here\n  already.\n---\n\nText of the page is here.\n',
    ],
  ])('leaves one alone that stands %s', async (_, page) => {
    const workspace = workspaceOf({ 'a.md': page })
    const done = await runToEnd('Add missing descriptions', workspace)
    expect([done.noChange, workspace.files.get('a.md')]).toEqual([true, page])
  })

  it('takes the words of a sentence, without tags and lists of attributes', async () => {
    const page = '<a href="/x">Acme</a> is **fine**, see [more](b.md){.external target=_blank}.\n'
    const workspace = workspaceOf({ 'a.md': `# A\n\nThis ${page}` })
    await runToEnd('Add missing descriptions', workspace)
    expect(workspace.files.get('a.md')).toContain('description: This Acme is fine, see more.\n')
  })

  it('takes no label, heading or half sentence for one', async () => {
    const workspace = workspaceOf({
      'a.md': '# A\n\nAdded in: v2.0\n\nAliases: rm, del\n\nRun the following:\n\nRemoves a package.\n',
      'b.md': '# B\n\nSince v2.1 only.\n\n- one\n- two\n',
    })
    const done = await runToEnd('Add missing descriptions', workspace)
    expect(workspace.files.get('a.md')).toContain('description: Removes a package.\n')
    expect(done.changed).toEqual(['a.md'])
    expect(done.summary).toContain('`b.md`: no sentence to take as its description')
  })

  it('takes no attributes or code of components for a sentence', async () => {
    const page =
      '<Card\n  title="A card of words"\n  href="/x"\n>\n  Inside of it.\n</Card>\n\nThis is the sentence.\n'
    const workspace = workspaceOf({ 'a.mdx': page })
    await runToEnd('Add missing descriptions', workspace)
    expect(workspace.files.get('a.mdx')).toContain('description: This is the sentence.\n')
  })
})

describe('what is not understood', () => {
  it.each(['Write me a poem', 'Update the SDK to the newest version', 'Make the links prettier'])(
    'is reported, with examples that work unchanged: %s',
    async (prompt) => {
      const done = await runToEnd(prompt, site())
      expect(done).toMatchObject({ title: 'Not understood', noChange: true, changed: [] })
      expect(done.summary).toContain(`did not understand “${prompt}”`)
      const examples = [...done.summary.matchAll(/^- `(.*)`$/gm)].map(([, example = '']) => example)
      expect(examples.length).toBe(6)
      expect(done.summary).not.toMatch(/delete|remove/i)
      for (const example of examples) {
        const tried = await runToEnd(example, site())
        expect(tried.title, example).not.toBe('Not understood')
        expect(tried.summary, example).not.toMatch(
          /No page matches|matches several|no folder|no group|is missing/,
        )
      }
    },
  )

  it('is asked about in the person’s own words, and a chosen answer is done', async () => {
    const asking = { ...site(), canAsk: true }
    const { calls } = await runToEnd('we renamed Okapi to Zebra', asking)
    expect(calls.at(-1)).toMatchObject({
      tool: 'ask_person',
      input: { choices: ['Replace "Okapi" with "Zebra"'] },
    })
    const answered = await runToEnd('we renamed Okapi to Zebra', site())
    expect(answered.summary).toContain(' You may have meant:\n\n- `Replace "Okapi" with "Zebra"`')
  })

  it('comes first where other requests were done', async () => {
    const done = await runToEnd('Fix the typos\nWrite me a poem.', site())
    expect(done.summary.indexOf('did not understand')).toBeLessThan(done.summary.indexOf('Corrected'))
  })
})

describe('the end of a turn', () => {
  it('does several requests and reports each', async () => {
    const done = await runToEnd(
      'Fix the typos and then replace "Okapi" with "Zebra"\nWrite me a poem.',
      site(),
    )
    expect(done.title).toBe('Fix common typos')
    expect(done.summary).toContain('**Replace "Okapi" with "Zebra"**')
    expect(done.summary).toContain('did not understand')
    expect(done.noChange).toBe(false)
  })

  it('says what it can do, and how to set another model, to anything else', async () => {
    const done = await runToEnd('Write me a poem', site())
    expect(done.noChange).toBe(true)
    expect(done.summary).toContain('Fix broken links in guides/')
    expect(done.summary).toContain('For anything else set another model, for example `DOCWRIGHT_MODEL=')
    expect(done.summary).toContain('/operate/models')
    expect(done.summary).toContain('/concepts/built-in-model')
  })

  it('keeps titles under 70 characters and within one line', async () => {
    const done = await runToEnd(`Replace "${'Acme '.repeat(40)}" with "${'b '.repeat(60)}"`, site())
    expect(done.title.length).toBeLessThan(70)
    expect(done.title).not.toContain('\n')
  })

  it('fixes what finish refuses where the fix is unambiguous, and lists the rest', async () => {
    const files = { 'guides/setup.md': '# Setup\n\n## End\n\n`go.md` and [go](go.md) on.\n' }
    const problems = [
      {
        check: 'link',
        path: 'guides/setup.md',
        line: 5,
        message: 'leads nowhere',
        href: 'go.md',
        suggestions: ['went.md'],
      },
      { check: 'link', path: 'guides/setup.md', line: 3, message: 'is odd', href: 'x', suggestions: [] },
    ]
    const workspace = workspaceOf(files, {
      refusals: [{ ok: false, message: 'Not yet', violations: [], problems }],
    })
    const done = await runToEnd('Replace "End" with "Over" in guides/setup.md', workspace)
    // The address stands in code too.
    expect(workspace.files.get('guides/setup.md')).toContain('`go.md` and [go](went.md) on.')
    expect(done.summary).toContain('Repaired after the checks')
    expect(done.summary).toContain('`guides/setup.md:3`: is odd')
  })

  it('lets links follow a heading that it has renamed', async () => {
    const files = { 'a.md': '# A\n\nSee [below](#old-way-of-doing).\n\n## Old way of doing\n\nText.\n' }
    const broken = {
      check: 'anchor',
      path: 'a.md',
      line: 3,
      message: 'x',
      href: '#old-way-of-doing',
      suggestions: [],
    }
    const refusals = [{ ok: false, message: 'Not yet', violations: [], problems: [broken] }]
    const workspace = workspaceOf(files, { refusals })
    const done = await runToEnd('Replace "Old way" with "New manner" in a.md', workspace)
    expect(workspace.files.get('a.md')).toContain('[below](#new-manner-of-doing)')
    expect(done.summary).toContain('`#old-way-of-doing` → `#new-manner-of-doing`')
  })

  it('does not claim that nothing changed when finish says otherwise', async () => {
    const workspace = site({
      refusals: [{ ok: false, message: 'You have changed files', changed: ['a.md'] }],
    })
    expect((await runToEnd('Write me a poem', workspace)).noChange).toBe(false)
  })
})

describe('any prompt', () => {
  const words =
    'replace change fix move rename delete add page note section "Acme" "x y" in to with the quickstart guides/ guides/setup.md everywhere links typos description title : \n - and then use instead of . “ ‘ ` setup'.split(
      ' ',
    )

  it('ends within a bounded number of steps, whatever the words and the failures', async () => {
    // A linear congruential generator with a fixed seed: the same prompts in every run.
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * below)
    }
    for (let run = 0; run < 300; run++) {
      const prompt = Array.from({ length: 2 + next(18) }, () => words[next(words.length)]).join(' ')
      const tools = ['edit_file', 'read_file', 'grep', 'list_pages', 'check', 'move_page', 'set_front_matter']
      const failures = Array.from({ length: next(4) }, () => ({
        tool: tools[next(tools.length)] ?? 'grep',
        error: { code: ['stale', 'not_found', 'forbidden'][next(3)] ?? 'stale', message: 'No' },
      }))
      const done = await runToEnd(prompt, site({ failures }), 150)
      expect(done.title.length, prompt).toBeGreaterThan(0)
      expect(done.title.length, prompt).toBeLessThan(71)
      expect(done.summary.length, prompt).toBeGreaterThan(0)
      if (done.noChange) expect(done.changed, prompt).toEqual([])
    }
  })

  it('handles tools that return invalid output', async () => {
    for (const prompt of [
      'Replace "Acme" with "b"',
      'Fix broken links',
      'Delete the page "Setup"',
      'Add missing titles',
      'Apply the glossary',
    ]) {
      const done = await runToEnd(prompt, site({ nonsense: true }), 50)
      expect(done.noChange).toBe(true)
    }
  })
})

describe('suggestions beside lines', () => {
  const remark = { path: 'guides/install.md', side: 'new', line: 3, endLine: 3 } as const
  const applied = async (body: string, quote = 'Install Acme. Then recieve mail.') => {
    const workspace = site()
    const prompt = writeReview({ remarks: [{ ...remark, quote, body }], remark: undefined })
    const done = await runToEnd(prompt, workspace)
    return { text: workspace.files.get('guides/install.md'), ...done }
  }

  it.each([
    [
      'a block of a git host',
      'Shorter:\n\n```suggestion\nInstall it.\n\n## Then\n```',
      'Install it.\n\n## Then',
    ],
    ['words', 'Replace with "Install it, then receive mail."', 'Install it, then receive mail.'],
    ['words behind a colon', 'Please change this to: Install it.', 'Install it.'],
  ])('takes the place of the lines: %s', async (_, body, wanted) => {
    const { text, changed } = await applied(body)
    expect(changed).toEqual(['guides/install.md'])
    expect(text).toBe(install.replace('Install Acme. Then recieve mail.', wanted))
  })

  it('takes the place of a blank line, of several, and of the first one', async () => {
    const blank = async (text: string, line: number) => {
      const workspace = site({}, { 'blank.md': text })
      const one = { path: 'blank.md', side: 'new', line, endLine: line, quote: '' } as const
      const prompt = writeReview({ remarks: [{ ...one, body: 'Replace with: New.' }], remark: undefined })
      await runToEnd(prompt, workspace)
      return workspace.files.get('blank.md')
    }
    expect(await blank('# A\n\nB\n', 2)).toBe('# A\nNew.\nB\n')
    expect(await blank('# A\n\n\n\nB\n', 3)).toBe('# A\n\nNew.\n\nB\n')
    expect(await blank('\n# A\n', 1)).toBe('New.\n# A\n')
    expect(await blank('# A\n\n\n', 3)).toBe('# A\n\nNew.\n')
  })

  it('takes lines out, keeps the mark of a heading, and leaves lines that have changed since', async () => {
    expect((await applied('```suggestion\n```')).text).toBe(
      install.replace('Install Acme. Then recieve mail.\n', ''),
    )
    expect((await applied('Replace with: Set up', '# Install')).text).toBe(
      install.replace('# Install', '# Set up'),
    )
    const { text, summary } = await applied('Replace with: Set up', 'Something else')
    expect(text).toBe(install)
    expect(summary).toContain('the lines have changed since')
  })
})

describe('pages in other markups', () => {
  it('get sections and notes as they are written there', async () => {
    const workspace = workspaceOf({
      'index.rst': '====\nHome\n====\n\nText.\n\nPart\n----\n\nMore.\n',
      'a.adoc':
        '= Page\n:x: y\n\nText.\n\n== Part\n\nNOTE: One.\n\n[NOTE]\n====\nMany.\n====\n\nNOTE: Two.\n',
    })
    await runToEnd('Add a section "Next to it" to index.rst: "Words."', workspace)
    expect(workspace.files.get('index.rst')).toMatch(/\n\nNext to it\n-{10}\n\nWords\.\n$/)
    await runToEnd('Add a note under the heading "Part" of a.adoc: Mind this.', workspace)
    expect(workspace.files.get('a.adoc')).toMatch(/\n\nNOTE: Mind this\.\n$/)
    await runToEnd('Add a warning at the top of a.adoc: Mind that.', workspace)
    expect(workspace.files.get('a.adoc')).toContain('= Page\n:x: y\n\nWARNING: Mind that.\n\nText.')
    await runToEnd('Add a section "Last" to a.adoc: "Words."', workspace)
    expect(workspace.files.get('a.adoc')).toMatch(/\n\n== Last\n\nWords\.\n$/)
  })
})
