import { casesOf } from './harmless-case.ts'
import { docusaurusSite } from './harmless-mdx-sites.ts'

// New pages of a Docusaurus site.

const docusaurus = casesOf(docusaurusSite)

docusaurus.page(
  'every admonition, some with titles',
  'website/docs/guides/limits.md',
  `
---
title: Limits
sidebar_position: 4
---

:::note

Pieces are at most 64 MiB.

:::

:::info[Why 64?]

The queue takes no more.

:::

:::warning Older queues

They take \`16 MiB\`.

:::

:::danger

Never write \`size: 0\`.

:::

::::tip[Nested]

:::note
A note in a tip.
:::

::::
`,
)
docusaurus.page(
  'tabs as sibling pages have them',
  'website/docs/guides/upgrade.mdx',
  `
---
title: Upgrade
tags: [setup, release]
---

import Tabs from '@theme/Tabs';
import TabItem from '@theme/TabItem';

<Tabs
  defaultValue="npm"
  values={[
    { label: 'npm', value: 'npm' },
    { label: 'Yarn', value: 'yarn' },
  ]}
>
  <TabItem value="npm">

\`\`\`bash npm2yarn
npm install quarry@latest
\`\`\`

  </TabItem>
  <TabItem value="yarn">

Use \`yarn up quarry\`.

  </TabItem>
</Tabs>
`,
)
docusaurus.page(
  'headings with ids',
  'website/docs/guides/glossary.md',
  `
---
title: Glossary
hide_table_of_contents: true
---

## Piece {#piece}

A part of a file.

### Cutter {#the-cutter}

Makes [pieces](#piece) of files. See also [settings](./configure.mdx#settings).
`,
)
docusaurus.page(
  'details with code in them',
  'website/docs/guides/faq.md',
  `
---
title: Questions
description: "Questions that people ask: sizes, queues, costs."
---

<details>
<summary>How large is a piece?</summary>

As large as \`pieces.size\` says:

\`\`\`yaml
pieces:
  size: 8MiB
\`\`\`

</details>

<details open>
  <summary>Can I keep the file?</summary>
  <p>Yes. Nothing is deleted.</p>
</details>
`,
)
docusaurus.page(
  'code with titles, lines and signs',
  'website/docs/guides/api.md',
  `
---
title: API
toc_max_heading_level: 4
---

\`\`\`ts title="src/cut.ts" showLineNumbers {1,3-5}
import { cut } from 'quarry'

// highlight-next-line
const pieces: Array<Piece> = await cut(file, { size: 4 << 20 })
for (const piece of pieces) {
  console.log(\`\${piece.id} < \${pieces.length}\`)
}
\`\`\`

\`\`\`diff
- cut(file)
+ await cut(file)
\`\`\`

\`\`\`jsx
<Cutter onCut={(piece) => setPieces([...pieces, piece])} />
\`\`\`
`,
)
docusaurus.page(
  'a drawing',
  'website/docs/guides/architecture.md',
  `
---
title: Architecture
---

\`\`\`mermaid
sequenceDiagram
  participant C as Cutter
  participant Q as Queue
  C->>Q: piece 1
  Q-->>C: ok
  Note over C,Q: until the file ends
\`\`\`
`,
)
docusaurus.page(
  'front matter of many fields',
  'website/docs/reference/cli.md',
  `
---
id: cli
title: Command line
sidebar_label: CLI
sidebar_position: 10
slug: /reference/command-line
description: All commands.
keywords: [cli, commands]
image: /img/cli.png
pagination_next: null
pagination_prev: guides/configure
last_update:
  date: 2026-03-01
  author: Mira Holt
custom_edit_url: null
draft: false
---

| Command | Does |
| --- | --- |
| \`quarry cut <file>\` | cuts \`<file>\` |
| \`quarry merge [--to=PATH]\` | merges |
`,
)
docusaurus.page(
  'a shared part of the site',
  'website/docs/guides/environment.mdx',
  `
---
title: Environment
---

import Shared from './_shared.mdx'

<Shared />

\`QUARRY_SIZE\` is \`pieces.size\`, and \`QUARRY_QUEUE\` is \`queue.name\`.
`,
)
docusaurus.page(
  'a picture by its path',
  'website/docs/guides/dashboard.mdx',
  `
---
title: Dashboard
---

import useBaseUrl from '@docusaurus/useBaseUrl'

<img src={useBaseUrl('/img/dashboard.png')} alt="Dashboard" width="600" />

![Queue](/img/queue.png 'The queue')

<figure>
  <img src={require('./img/merge.png')} alt="Merge" />
  <figcaption>Pieces are merged.</figcaption>
</figure>
`,
)
docusaurus.page(
  'a picture for each theme',
  'website/docs/guides/themes.mdx',
  `
---
title: Themes
---

import ThemedImage from '@theme/ThemedImage'
import useBaseUrl from '@docusaurus/useBaseUrl'

<ThemedImage
  alt="Themes"
  sources={{
    light: useBaseUrl('/img/light.png'),
    dark: useBaseUrl('/img/dark.png'),
  }}
/>
`,
)
docusaurus.page(
  "cards of the theme's list",
  'website/docs/guides/index.mdx',
  `
---
title: Guides
---

import DocCardList from '@theme/DocCardList'

Choose a guide.

<DocCardList />
`,
)
docusaurus.page(
  'a component that a sibling imports',
  'website/docs/guides/merge.mdx',
  `
---
title: Merge
---

import Versions from '@site/src/components/Versions'

<Versions since="3.1" />

Merging puts the pieces back.
`,
)
docusaurus.page(
  'an example file as a sibling shows it',
  'website/docs/guides/example.mdx',
  `
---
title: Example
---

import CodeBlock from '@theme/CodeBlock'
import example from '!!raw-loader!../../examples/quarry.yaml'

<CodeBlock language="yaml" title="examples/quarry.yaml" showLineNumbers>
  {example}
</CodeBlock>
`,
)
docusaurus.page(
  'styles on elements',
  'website/docs/guides/colours.mdx',
  `
---
title: Colours
---

<span style={{ backgroundColor: '#25c2a0', borderRadius: '2px', color: '#fff', padding: '0.2rem' }}>
  cut
</span>{' '}and <kbd>merge</kbd> are different.

<div className="row">
  <div className="col col--6">Left</div>
  <div className="col col--6">Right</div>
</div>
`,
)
docusaurus.page(
  'exported values in the text',
  'website/docs/guides/version.mdx',
  `
---
title: Version
---

export const version = '3.2.0'

export const sizes = ['4MiB', '8MiB']

The newest version is {version}. {/* Change it above. */}
`,
)
docusaurus.page(
  'braces and signs kept as text',
  'website/docs/guides/escapes.mdx',
  `
---
title: Escapes
---

Write \\{name\\} or \`{name}\` for a name, \\<file> or \`<file>\` for a file, and &lt;none&gt; for none.

2 \\< 3, and 3 > 2.
`,
)
docusaurus.page(
  'links of every kind',
  'website/docs/guides/links.md',
  `
---
title: Links
---

[one](./install.mdx), [two](../intro.md#why), [three](pathname:///files/quarry.pdf), [four](https://nodejs.org/en "Node"), [five](mailto:team@quarry.example?subject=Hello), <https://quarry.example/blog>, [six][].

[six]: https://developer.mozilla.org/en-US/docs/Web/API/File "File"
`,
)

export const harmlessDocusaurus = [...docusaurus.cases]
