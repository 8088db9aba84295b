import type { PolicyAttack } from './hostile-pages.ts'

/** What people did in commits of real repositories, reduced: nothing of it does anything. */
export const plainInCommits: PolicyAttack[] = []
/** The same where no page has it so: published as a draft, for a person to look at. */
export const unknownInCommits: PolicyAttack[] = []
/** What is written like it and does something. */
export const nearCommits: PolicyAttack[] = []

const into =
  (list: PolicyAttack[]) =>
  (site: string, content: string, more: Partial<PolicyAttack> = {}): void => {
    list.push({ site, name: `${site}: ${JSON.stringify(content).slice(0, 90)}`, content, ...more })
  }
const plain = into(plainInCommits)
const unknown = into(unknownInCommits)
const held = into(nearCommits)
const restructured = (content: string) =>
  ['plain', `RAWEvil\n====\n\n${content}\n`, { path: 'plain/evil.rst' }] as const

// Fields of front matter, and what reads them
const versions =
  '---\ntitle: x\npackageVersions:\n  "@vue/devtools-api": "8.0.6"\n  vue-router: 4.0.1\n---\n\n'
plain('press', `${versions}Version {{ $frontmatter.packageVersions['vue-router'] }}.`, {
  base: { 'press/f.md': versions },
})
held('press', `${versions}{{ $frontmatter.packageVersions['constructor'] }}`, {
  base: { 'press/f.md': versions },
})
held('press', '---\ntitle: x\nhero:\n  "@click": run()\n---\n\nText.')
const cascade = (version: string, more = '') =>
  `---\ntitle: x\ncascade:\n  version: ${version}\n  exclude_search: true\n${more}---\n\nText.`
plain('hugo', cascade('v3.5.18'), { base: { 'hugo/content/f.md': cascade('v3.5.17') } })
plain('hugo', cascade('v3.5.18').replace('true', 'false'), {
  base: { 'hugo/content/f.md': cascade('v3.5.17') },
})
held('hugo', cascade('v3.5.18', '  layout: evil\n'), {
  base: { 'hugo/content/f.md': cascade('v3.5.17', '  layout: x\n') },
})
held('hugo', cascade('"{{ evil }}"'), { base: { 'hugo/content/f.md': cascade('v3.5.17') } })
// Packages of a host, whatever their version
const script = (name: string) =>
  `\`\`\`html\n<script src="https://unpkg.com/${name}/dist/x.js"></script>\n\`\`\``
plain('plain', script('vue@5'), { base: { 'plain/f.md': script('vue@4.5.13') } })
held('plain', script('evil@5'), { base: { 'plain/f.md': script('vue@4.5.13') } })
const delivered = (name: string) => script('').replace('unpkg.com/', `cdn.jsdelivr.net/npm/${name}`)
plain('plain', delivered('vue@5'), { base: { 'plain/f.md': delivered('vue@4') } })
held('plain', delivered('evil@5'), { base: { 'plain/f.md': delivered('vue@4') } })
// Roles
plain(...restructured('See :ref:`the upload API\n<warehouse:upload-api>` for more.'))
held(...restructured('See `the upload API <warehouse:upload-api>`_ for more.'))
plain(...restructured('A service would look for\n:file:`pylock.spam.toml` there.'))
held(...restructured('.. csv-table:: x\n   :file: ../../secret.csv'))
// Directives
plain('myst', ':::{versionadded} 5.2.0\n:::')
unknown('myst', ':::{tabbed} Sphinx Configuration\n\nText.\n\n:::')
unknown('myst', '```{tabbed} Sphinx Configuration\nText.\n```')
unknown(...restructured('.. tabbed:: Sphinx Configuration\n\n   Text.'))
held(...restructured('.. tabbed:: /etc/passwd'))
held('myst', '```{tabbed} x\n:file: ../../.env\n```')
held('myst', '```{exec-code} x\nText.\n```')
unknown('plain', '{attribution="Chris Sewell"}\n> Text.')
held('plain', '{attribution="Chris Sewell" onclick="EVIL()"}\n> Text.')
held('plain', '{hx-get="/evil"}\n> Text.')
// Shortcodes
plain('hugo', 'See the {{<ref "design">}} page.')
const own = { 'hugo/layouts/shortcodes/button.html': '<button>{{ .Get "text" }}</button>\n' }
unknown('hugo', '{{< button text="Copy it" >}}', { base: own })
held('hugo', '{{< button text="Copy it" >}}')
held('hugo', '{{< button text="<script>EVIL()</script>" >}}', { base: own })
// Colors of a terminal
plain(
  'plain',
  '```ansi\n\u001b[31m\u00d7\u001b[0m Found \u001b[2;1mone\u001b[22m\u001b[38m\n```'.replace(
    '\u001b[38m',
    '',
  ),
)
held('plain', '```ansi\n\u001b[8mEVIL\u001b[0m\n```')
held('plain', '```ansi\n\u001b[30mEVIL\u001b[0m\n```')
held('plain', '```ansi\n\u001b[2JEVIL\n```')
// Blocks of code
const colored =
  '```css\n.a {\n  background-image: url("data:image/svg+xml;utf8,%3Csvg xmlns=\'http://www.w3.org/2000/svg\'/%3E");\n}\n```'
plain('plain', colored)
unknown('saurus', '```js @ts-expect-error=[12]\nconst a = 1\n```')
held('plain', '```yaml\nimage: registry.evil.net/x/y:1\n```')
unknown('plain', '::hero-background{class="absolute w-full"}\n\nText.\n\n::')
held('plain', '::hero-background{onclick="EVIL()"}\n\nText.\n\n::')
// Components of the repository that no page has imported
const card = { 'saurus/src/components/Card.tsx': 'export default () => null\n' }
unknown('saurus', "import Card from '../src/components/Card.tsx'\n\n<Card />", { base: card })
held('saurus', "import Card from '../src/components/Other.tsx'\n\n<Card />", { base: card })
held('saurus', "import Card from 'evil-package'\n\n<Card />", { base: card })
held('saurus', "import '../src/components/Card.tsx'\n", { base: card })
plain('myst', '```{toctree}\n---\nmaxdepth: 2\ncaption: Contents\n---\nindex\n```')
held('myst', '```{toctree}\n---\nmaxdepth: 2\n---\nx <javascript:EVIL()>\n```')
plain('plain', '```mermaid\nsequenceDiagram\n  participant script as Script\n  script->>script: run\n```')
held('plain', '```mermaid\ngraph TD\n  A["<a href=\'javascript:EVIL()\'>x</a>"]\n```')
plain('plain', '```sh\nkubectl get pods -l app.kubernetes.io/name=x\n```')
held('plain', '```sh\nkubectl apply -f evil.net/x=y\n```')
plain('saurus', '# One {#one}\n\n## Two {#two]\n\nText.')
held('saurus', '# One {#one}\n\n## Two {#two] {run()}\n\nText.')

// Types of Terraform and CUE in a table of a page that is no MDX
const typed = (type: string) => `| Name | Type |\n| --- | --- |\n| a | ${type} |\n\nText.`
plain('saurus', typed('list(object({\\n    entry   = string\\n    ids  = list(string)\\n  }))'))
plain('saurus', typed('map[string]{null\\|bool\\|{...}\\|[...]\\|number}'))
held('saurus', typed('list({\\n}) {EVIL()}'))
held('saurus', typed('{[...new Set(EVIL())]}'))
held('saurus', typed('{\\n<img src=x onerror=EVIL()>}'))
// What a program answers stands below what was typed
const answer = 'netlify-comp 2022-06-14T15:43:30Z Website URL:       https://vela.evil.net'
plain('plain', `\`\`\`shell\nvela logs app | grep "Website URL"\n${answer}\n\`\`\``)
held('plain', '```shell\nnetlify-comp Website URL: https://vela.evil.net https://more.evil.net\n```')
held('plain', '```shell\nnetlify-comp Website url:https://vela.evil.net\n```')

// Shortcodes of a folder, and tags with calls in them
const feature = (title: string) =>
  `{{% blocks/feature icon="x" title="${title}" url="/a/" %}}\nText.\n{{% /blocks/feature %}}`
const button = (label: string, more = '') => `<a {{% _param btn-lg primary %}}${more} href="/a/">${label}</a>`
const featured = { 'hugo/content/f.md': `---\ntitle: x\n---\n\n${feature('One!')}\n\n${button('One')}\n` }
plain('hugo', feature('Another one!'), { base: featured })
plain('hugo', button('Another one'), { base: featured })
held('hugo', button('Another one', ' onclick="EVIL()"'), { base: featured })
held('hugo', button('x', ' title=">" onclick="EVIL()"'), {
  base: { 'hugo/content/f.md': `---\ntitle: x\n---\n\n${button('x', ' title=">"')}\n` },
})
