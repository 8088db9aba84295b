import { casesOf } from './harmless-case.ts'
import { vitepressSite } from './harmless-markdown-sites.ts'

// New pages and changes of a VitePress site, also around scripts and expressions that are there.

const vitepress = casesOf(vitepressSite)

vitepress.page(
  'containers with titles',
  'docs/guide/caching.md',
  `
---
title: Caching
description: What Wharf keeps.
outline: [2, 3]
prev: false
next:
  text: Plugins
  link: /guide/plugins
---

# Caching <Badge type="warning" text="beta" />

::: info
The cache is in \`node_modules/.wharf\`.
:::

::: danger STOP
Never share it between machines.
:::

::: details Why?
Paths are absolute in it.

\`\`\`sh
$ ls $HOME/app/node_modules/.wharf
\`\`\`
:::

> [!TIP]
> Delete it at any time.
`,
)
vitepress.page(
  'groups of code',
  'docs/guide/deploy.md',
  `
# Deploy

[[toc]]

::: code-group

\`\`\`yaml [GitHub]
- uses: actions/upload-artifact@v4
  with:
    path: dist
\`\`\`

\`\`\`dockerfile [Docker]
FROM nginx:1.27
COPY dist /usr/share/nginx/html
\`\`\`

:::
`,
)
vitepress.page(
  'lines, focus and diffs in code',
  'docs/guide/config.md',
  `
# Configuration {#config .wide}

\`\`\`ts{1,4-6}:line-numbers=2 [wharf.config.ts]
import type { Config } from 'wharf'

export default {
  docks: ['browser'], // [!code focus]
  target: 'es2020', // [!code --]
  target: 'es2022', // [!code ++]
  map: true, // [!code highlight]
  old: Array<string>(), // [!code warning]
} satisfies Config
\`\`\`
`,
)
vitepress.page(
  'mustaches shown in code',
  'docs/guide/i18n.md',
  `
# Translations

Write \`{{ t('hello') }}\` in a template:

\`\`\`vue
<script setup lang="ts">
import { t } from 'wharf-i18n'
const props = defineProps<{ name: string }>()
</script>

<template>
  <p @click="open">{{ t('hello', { name: props.name }) }}</p>
</template>
\`\`\`

    {{ indented }} code is code too
`,
)
vitepress.page(
  'a snippet of the site',
  'docs/guide/hello.md',
  `
# Hello

<<< @/snippets/hello.js

<<< @/snippets/hello.js{1 js:line-numbers} [hello.js]
`,
)
vitepress.page(
  'a shared part of the site',
  'docs/guide/help.md',
  `
# Help

<!--@include: ./parts/support.md-->

We answer on weekdays.
`,
)
vitepress.page(
  'a home of a translation',
  'docs/de/index.md',
  `
---
layout: home
title: Wharf
titleTemplate: Ein Bündler
hero:
  name: "Wharf"
  text: "Bündel, die anlegen"
  actions:
    - theme: brand
      text: Anfangen
      link: /de/guide/start
features:
  - title: "Klein"
    details: Der Kern hat 9 kB. Mehr braucht es nicht.
    link: /de/guide/caching
    linkText: Mehr
  - title: Stetig
    icon:
      src: /icons/steady.svg
---
`,
)
vitepress.page(
  'a table with signs',
  'docs/reference/options.md',
  `
# Options

| Option | Type | Default |
| ------ | :--: | ------: |
| \`docks\` | \`Array<'browser' \\| 'worker'>\` | \`['browser']\` |
| \`map\` | \`boolean \\| { inline: boolean }\` | \`{ inline: false }\` |
| \`size\` | a number < 10 | 4 |
`,
)
vitepress.page(
  'anchors, emoji and pictures',
  'docs/guide/team.md',
  `
# Team :wave: {#team}

![Team](/team.webp){width=600 .rounded}

<img src="./images/mole.png" alt="Mole" width="120" />

See [plugins](./plugins.md#list), [start](/guide/start) and [Node](https://nodejs.org){target="_blank" rel="noreferrer"}.
`,
)
vitepress.page(
  'a page layout with front matter',
  'docs/guide/blank.md',
  `
---
layout: page
sidebar: false
aside: left
lastUpdated: 2026-02-11T09:30:00Z
editLink: false
pageClass: blank
head:
  - - meta
    - name: description
      content: Nothing here
  - - meta
    - property: og:title
      content: Blank
---

Nothing.
`,
)
vitepress.page(
  'formulas in code and text',
  'docs/guide/size.md',
  `
# Size

The size is $s = 2^{n}$ bytes; in code \`2 ** n\`.
`,
)
vitepress.page(
  'words that are no tags',
  'docs/guide/types.md',
  `
# Types

A \`Promise<Bundle>\` holds the bundle when \`size < max && size > 0\`.

::: warning
\`Map<K, V>\` is not kept.
:::
`,
)
vitepress.page(
  'a table of contents and a summary',
  'docs/changelog.md',
  `
# Changelog

## 3.1.0 (2026-03-02) {#v3-1-0}

### Bug Fixes

* **core:** keep \`import.meta.url\` in workers ([#812](https://github.com/wharf-js/wharf/issues/812)) ([1f3c2aa](https://github.com/wharf-js/wharf/commit/1f3c2aa))
* **css:** do not merge \`@layer\` rules

### BREAKING CHANGES

* \`docks\` has to be an array
`,
)
vitepress.edit('a typo below a script', {
  'docs/guide/plugins.md': [['functoin', 'function']],
})
vitepress.edit('text behind an expression', {
  'docs/guide/plugins.md': [
    ['Write to the list when yours is missing.', 'Open an issue when yours is missing.'],
  ],
})
vitepress.edit('an expression moved up', {
  'docs/guide/plugins.md': [
    [
      `

There are {{ data.length }} plugins. Write to the list when yours is missing.`,
      '',
    ],
    [
      'A plugin is',
      `
There are {{ data.length }} plugins. Write to the list when yours is missing.

A plugin is`,
    ],
  ],
})
vitepress.edit("a page's own style taken away", {
  'docs/guide/plugins.md': [
    [
      `

<style scoped>
.plugin { border-radius: 4px; }
</style>`,
      '',
    ],
  ],
})
vitepress.edit('a component taken away, the script kept', {
  'docs/guide/plugins.md': [['<PluginList :plugins="shown" @select="(plugin) => open(plugin.url)" />', '']],
})
vitepress.edit('a feature of the home', {
  'docs/index.md': [
    [
      '  - icon: 🛶',
      `
  - icon: 🔧
    title: Plain
    details: One file of settings, \`wharf.config.js\`.
    link: /guide/start
  - icon: 🛶`,
    ],
  ],
})
vitepress.edit("the hero's words", {
  'docs/index.md': [['text: Bundles that dock', 'text: "Bundles that dock: anywhere"']],
})
vitepress.edit("a text under the home's script", {
  'docs/index.md': [
    [
      '<Sponsors />',
      `
## Sponsors

<Sponsors />`,
    ],
  ],
})
vitepress.edit('a tip moved into details', {
  'docs/guide/start.md': [['::: tip', '::: details Which Node?']],
})
vitepress.edit('a package manager more', {
  'docs/guide/start.md': [
    [
      '```sh [pnpm]',
      `
\`\`\`sh [yarn]
yarn add -D wharf
\`\`\`

\`\`\`sh [pnpm]`,
    ],
  ],
})
vitepress.edit('other lines highlighted', {
  'docs/guide/start.md': [['```js{2,4-5} [wharf.config.js]', '```js{2,4-6} [wharf.config.js]']],
})
vitepress.edit('another badge', {
  'docs/guide/start.md': [['<Badge type="tip" text="or newer" />', '<Badge type="info">or newer</Badge>']],
})
vitepress.edit('an include taken away', {
  'docs/guide/start.md': [
    [
      `

<!--@include: ./parts/support.md-->`,
      `

Ask in the [forum](https://forum.wharf.example).`,
    ],
  ],
})
vitepress.edit('text beside kept mustaches', {
  'docs/guide/templates.md': [
    [
      'A template shows `{{ name }}` in text.',
      'A template shows `{{ name }}` and `{{ name.first }}` in text.',
    ],
  ],
})
vitepress.edit('more code with mustaches', {
  'docs/guide/templates.md': [
    [
      '<p>{{ greeting }} {{ name.first }}</p>',
      `
<p>{{ greeting }} {{ name.first }}</p>
<p v-if="name.last" :title="name.last" @click="greet(name)">{{ name.last }}</p>`,
    ],
  ],
})
vitepress.edit('text inside of a conditional element', {
  'docs/guide/templates.md': [['class="note">Beta</div>', 'class="note">This is beta</div>']],
})
vitepress.edit('the sidebar', {
  'docs/.vitepress/config.mts': [
    [
      "{ text: 'Plugins', link: '/guide/plugins' }",
      "{ text: 'Plugins', link: '/guide/plugins' }, { text: 'Templates', link: '/guide/templates' }",
    ],
  ],
})
vitepress.move('a page with a script, beside it', 'docs/guide/plugins.md', 'docs/guide/extensions.md')

export const harmlessVitepress = [...vitepress.cases]
