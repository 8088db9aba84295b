import type { DocsSite } from './harmless-case.ts'

// Sites of VitePress and Starlight and a plain repository that harmless changes are made to, with scripts and components of their own.

export const vitepressSite: DocsSite = {
  root: 'docs',
  base: {
    'docs/.vitepress/config.mts': `
import { defineConfig } from 'vitepress'
export default defineConfig({
  title: 'Wharf',
  themeConfig: {
    sidebar: [
      { text: 'Guide', items: [{ text: 'Start', link: '/guide/start' }, { text: 'Plugins', link: '/guide/plugins' }] },
    ],
  },
})
`,
    'docs/index.md': `
---
layout: home
hero:
  name: Wharf
  text: Bundles that dock
  tagline: A bundler for places with little memory.
  image:
    src: /logo.svg
    alt: Wharf
  actions:
    - theme: brand
      text: Get started
      link: /guide/start
    - theme: alt
      text: Source
      link: https://github.com/wharf-js/wharf
features:
  - icon: ⚓
    title: Small
    details: The core has 9 kB.
  - icon: 🛶
    title: Steady
    details: No release has broken a plugin since 2.0.
---

<script setup>
import { onMounted } from 'vue'
import { fetchSponsors } from './.vitepress/theme/sponsors'
onMounted(() => fetchSponsors())
</script>

<Sponsors />
`,
    'docs/guide/start.md': `
---
outline: deep
---

# Start {#start}

[[toc]]

::: code-group

\`\`\`sh [npm]
npm add -D wharf
\`\`\`

\`\`\`sh [pnpm]
pnpm add -D wharf
\`\`\`

:::

::: tip
Wharf needs Node 20 <Badge type="tip" text="or newer" />
:::

\`\`\`js{2,4-5} [wharf.config.js]
export default {
  entry: 'src/main.js',
  docks: [
    'browser',
    'worker',
  ],
}
\`\`\`

<<< @/snippets/hello.js{1}

<!--@include: ./parts/support.md-->
`,
    'docs/guide/plugins.md': `
# Plugins

<script setup>
import PluginList from '../.vitepress/theme/PluginList.vue'
import { data } from './plugins.data.js'
const shown = data.filter((plugin) => plugin.stars > 10)
</script>

A plugin is a functoin that gets the graph.

<PluginList :plugins="shown" @select="(plugin) => open(plugin.url)" />

There are {{ data.length }} plugins. Write to the list when yours is missing.

<style scoped>
.plugin { border-radius: 4px; }
</style>
`,
    'docs/guide/plugins.data.js': `
export default { load: () => [] }
`,
    'docs/guide/templates.md': `
# Templates

A template shows \`{{ name }}\` in text.

\`\`\`html
<p>{{ greeting }} {{ name.first }}</p>
\`\`\`

::: v-pre
The sign {{ is kept }} as it is.
:::

<p v-pre>{{ raw }}</p>

<div v-if="$frontmatter.beta" class="note">Beta</div>
`,
    'docs/guide/parts/support.md': `
Ask in the [forum](https://forum.wharf.example) when something is unclear.
`,
    'docs/snippets/hello.js': `
console.log('hello')
`,
  },
}

export const starlightSite: DocsSite = {
  root: 'docs',
  base: {
    'docs/astro.config.mjs': `
import { defineConfig } from 'astro/config'
import starlight from '@astrojs/starlight'
export default defineConfig({
  integrations: [starlight({ title: 'Heron', sidebar: [{ label: 'Guides', items: ['guides/setup', 'guides/deploy'] }] })],
})
`,
    'docs/src/content/docs/index.mdx': `
---
title: Heron
description: Cron for people who forget.
template: splash
hero:
  tagline: Jobs that report when they do not run.
  image:
    file: ../../assets/heron.webp
  actions:
    - text: Set up
      link: /guides/setup/
      icon: right-arrow
---

import { Card, CardGrid } from '@astrojs/starlight/components';

<CardGrid stagger>
  <Card title="Quiet" icon="moon">
    No mail when all is well.
  </Card>
  <Card title="Loud" icon="warning">
    A call when it is not.
  </Card>
</CardGrid>
`,
    'docs/src/content/docs/guides/setup.mdx': `
---
title: Set up
description: From nothing to the first job.
sidebar:
  order: 1
  badge:
    text: New
    variant: tip
---

import { Steps, Tabs, TabItem, Aside, FileTree, LinkCard, Badge } from '@astrojs/starlight/components';
import { Image } from 'astro:assets';
import shot from '../../../assets/setup.png';
import Since from '../../../components/Since.astro';

<Steps>

1. Install the agent.

   \`\`\`sh
   curl -fsSL https://get.heron.example/install.sh -o install.sh
   \`\`\`

2. Name your first job.

</Steps>

<Tabs syncKey="os">
  <TabItem label="Linux">A service of systemd is made.</TabItem>
  <TabItem label="macOS">A service of launchd is made.</TabItem>
</Tabs>

:::note[Times]
All times are in UTC.
:::

<Aside type="caution" title="Clocks">
  A clock that is wrong makes late jobs.
</Aside>

<Since v="1.4" />

<Image src={shot} alt="The agent asks for a name" />

<FileTree>

- heron
  - jobs.toml the jobs
  - agent.log

</FileTree>

<LinkCard title="Deploy" href="/guides/deploy/" description="Run it on a server." />
`,
    'docs/src/content/docs/guides/deploy.md': `
---
title: Deploy
lastUpdated: 2026-02-03
---

Heron runs on one machine or on many.

\`\`\`toml title="jobs.toml" ins={2} "every"
[job.backup]
every = "1h"
\`\`\`
`,
  },
}

export const githubSite: DocsSite = {
  root: '',
  base: {
    'README.md': `
<p align="center">
  <picture>
    <source media="(prefers-color-scheme: dark)" srcset="assets/logo-dark.svg">
    <img src="assets/logo.svg" alt="Tern" width="240">
  </picture>
</p>

<p align="center">
  <a href="https://www.npmjs.com/package/tern-cli"><img src="https://img.shields.io/npm/v/tern-cli.svg" alt="npm"></a>
  <a href="LICENSE"><img src="https://img.shields.io/badge/license-MIT-blue.svg" alt="License"></a>
</p>

# Tern

Tern renames files by rules.

## Install

\`\`\`sh
npm install --global tern-cli
\`\`\`

## Usage

| Option | Meaning |
|:-------|:--------|
| \`-n\`   | show only |
| \`-r\`   | all folders |

<details>
<summary>All options</summary>

See [docs/options.md](docs/options.md).

</details>

> [!NOTE]
> Tern never overwrites a file.

![Screencast](https://raw.githubusercontent.com/tern-cli/tern/main/assets/cast.gif)
`,
    'docs/options.md': `
# Options

Press <kbd>q</kbd> to leave.<br>
Sizes are in 10<sup>6</sup> bytes.

- [x] Rules
- [ ] Undo

:warning: Names are case sensitve.
`,
    'docs/rules.md': `
# Rules

<!-- The order matters: longest first. -->

1. Digits
2. Dates
   - \`2026-01-31\`
   - \`31.01.2026\`

[back](../README.md#usage)
`,
    'CHANGELOG.md': `
# Changelog

## [2.1.0] - 2026-02-11

### Fixed

- Links are kept ([#212](https://github.com/tern-cli/tern/issues/212))

[2.1.0]: https://github.com/tern-cli/tern/compare/v2.0.0...v2.1.0
`,
  },
}
