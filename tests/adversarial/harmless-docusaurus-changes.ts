import { casesOf } from './harmless-case.ts'
import { docusaurusSite } from './harmless-mdx-sites.ts'

// Posts and changes of a Docusaurus site, also around components, scripts and live code that are there.

const docusaurus = casesOf(docusaurusSite)

docusaurus.page(
  'a post',
  'website/blog/2026-02-20-queues.md',
  `
---
slug: queues
title: Queues that we like
authors: [mira]
tags: [queues, release]
description: Three queues for pieces.
date: 2026-02-20T10:00
---

There are **three** queues that take 64 MiB.

{/* truncate */}

1. Sluice
2. Weir
3. Lock
`,
)
docusaurus.page(
  'a post with a date in its folder',
  'website/blog/2026/03-10-numbers/index.md',
  `
---
title: Numbers of the year
authors:
  - mira
  - name: Olu Adé
    title: Guest
---

Cutters cut 3·10^9 pieces.

<!-- truncate -->

| Year | Pieces |
| ---: | -----: |
| 2024 | 9e8    |
| 2025 | 3e9    |
`,
)
docusaurus.page(
  'a page of an older version',
  'website/versioned_docs/version-2.0/upgrade.md',
  `
---
title: Upgrade to 3
---

Version 3 needs Node 20. See [the new settings](/guides/configure).
`,
)
docusaurus.page(
  "a folder's label",
  'website/docs/reference/_category_.json',
  `
{
  "label": "Reference",
  "position": 5,
  "collapsible": true,
  "collapsed": false,
  "className": "reference",
  "link": { "type": "generated-index", "title": "Reference", "slug": "/reference" }
}
`,
)
docusaurus.page(
  'styles and markup shown',
  'website/docs/guides/theming.md',
  `
---
title: Theming
---

\`\`\`css
@import url('https://fonts.example.com/css?family=Inter');
.piece::before { content: '{'; background: url("/img/piece.svg"); }
\`\`\`

\`\`\`html
<link rel="stylesheet" href="https://cdn.example.com/quarry.css">
<script>window.quarry = { size: 4 }</script>
<div onclick="cut()">{{ piece }}</div>
\`\`\`
`,
)
docusaurus.page(
  'a diff of settings',
  'website/docs/guides/migrate.md',
  `
---
title: Migrate from 2 to 3
---

1. Rename the setting:

   \`\`\`diff title="quarry.yaml"
   - size: 4MB
   + pieces:
   +   size: 4MiB
   \`\`\`

2. \`cut(file, cb)\` is \`await cut(file)\` now.

   | 2 | 3 |
   |---|---|
   | \`cut(f, (err, p) => {})\` | \`for await (const p of cut(f)) {}\` |
   | \`{ size }\` | \`{ pieces: { size } }\` |
`,
)
docusaurus.edit('a typo in an old version', {
  'website/versioned_docs/version-2.0/intro.md': [['peices', 'pieces']],
})
docusaurus.edit('a node in a drawing', {
  'website/docs/intro.md': [['  B --> C[Queue]', '  B -->|64 MiB| C[Queue]']],
})
docusaurus.edit('a drawing as a list', {
  'website/docs/intro.md': [
    [
      `
\`\`\`mermaid
graph LR
  A[File] --> B[Cutter]
  B --> C[Queue]
\`\`\``,
      `
1. The cutter reads the file.
2. The queue takes the pieces.`,
    ],
  ],
})
docusaurus.edit('another kind of admonition', {
  'website/docs/intro.md': [
    [
      `
:::tip

Begin with a file below 1 GB.`,
      `
:::info[First steps]

Begin with a file of less than 1 GB.`,
    ],
  ],
})
docusaurus.edit('another order of the sidebar', {
  'website/docs/intro.md': [['sidebar_position: 1', 'sidebar_position: 0']],
})
docusaurus.edit('one more tab', {
  'website/docs/guides/install.mdx': [
    [
      `
  </TabItem>
</Tabs>`,
      `
  </TabItem>
  <TabItem value="bun" label="Bun">

\`\`\`bash
bun add quarry
\`\`\`

  </TabItem>
</Tabs>`,
    ],
  ],
})
docusaurus.edit('a component with another version', {
  'website/docs/guides/install.mdx': [['<Versions since="3.0" />', '<Versions since="3.0.1" />']],
})
docusaurus.edit('tabs taken away, their imports kept', {
  'website/docs/guides/install.mdx': [
    [
      `
  <TabItem value="yarn" label="Yarn">
    Use \`yarn add quarry\`.
  </TabItem>`,
      '',
    ],
  ],
})
docusaurus.edit('a video taken away', {
  'website/docs/guides/install.mdx': [
    [
      `

<video controls src="/video/install.mp4"></video>`,
      '',
    ],
  ],
})
docusaurus.edit('another line highlighted', {
  'website/docs/guides/configure.mdx': [['{2,4-5} showLineNumbers', '{2,4-6} showLineNumbers']],
})
docusaurus.edit('a setting more in code', {
  'website/docs/guides/configure.mdx': [
    [
      '  retries: 3',
      `
  retries: 3
  password: \${QUEUE_PASSWORD}
  host: localhost:5672 # or {host}:{port}`,
    ],
  ],
})
docusaurus.edit('a heading with its id kept', {
  'website/docs/guides/configure.mdx': [['## Settings {#settings}', '## All settings {#settings}']],
})
docusaurus.edit('text beside expressions and imports', {
  'website/docs/guides/configure.mdx': [
    ['`MiB` is 1024 times 1024 bytes.', '`MiB` is 1024² bytes, `MB` is 1000² bytes.'],
  ],
})
docusaurus.edit('a shared part taken away', {
  'website/docs/guides/configure.mdx': [
    ["import Shared from './_shared.mdx'", ''],
    ['<Shared />', ''],
  ],
})
docusaurus.edit('the shared part itself', {
  'website/docs/guides/_shared.mdx': [
    ['by the environment.', 'by the environment, as `QUARRY_` and the name in capitals.'],
  ],
})
docusaurus.edit('text above live code', {
  'website/docs/guides/playground.mdx': [
    ['Type a size to see the pieces.', 'Change the size in the code to see other pieces.'],
  ],
})
docusaurus.edit('live code moved behind the window', {
  'website/docs/guides/playground.mdx': [
    [
      `
\`\`\`jsx live
function Pieces() {
  return <Piece size={4} />
}
\`\`\``,
      '',
    ],
    [
      '</BrowserWindow>',
      `
</BrowserWindow>

\`\`\`jsx live
function Pieces() {
  return <Piece size={4} />
}
\`\`\``,
    ],
  ],
})
docusaurus.edit('text beside a handler', {
  'website/docs/guides/playground.mdx': [['Sizes are in MiB.', 'Sizes are in MiB, and whole.']],
})
docusaurus.edit(
  'a button moved to another page',
  {
    'website/docs/guides/playground.mdx': [
      [
        `
<BrowserWindow url="http://localhost:3000">

<button onClick={() => merge(4)}>Merge</button>

</BrowserWindow>`,
        'See [merging](./merge.mdx).',
      ],
    ],
    'website/docs/guides/merge.mdx': [
      [
        'Merging puts',
        `
<BrowserWindow url="http://localhost:3000">

<button onClick={() => merge(4)}>Merge</button>

</BrowserWindow>

Merging puts`,
      ],
    ],
  },
  {
    'website/docs/guides/merge.mdx': `
---
title: Merge
---

import BrowserWindow from '@site/src/components/BrowserWindow'
import { Piece, merge } from '@site/src/lib/pieces'

Merging puts <Piece size={1} /> pieces back.
`,
  },
)
docusaurus.edit("a post's tags", {
  'website/blog/2026-01-14-quarry-3.md': [['tags: [release]', 'tags: [release, performance]']],
})
docusaurus.edit('a footnote', {
  'website/blog/2026-01-14-quarry-3.md': [
    ['Measured on files of 10 GB.', 'Measured on files of 10 GB, three times.'],
  ],
})
docusaurus.edit('a formula', {
  'website/blog/2026-01-14-quarry-3.md': [['$O(n \\log n)$', '$O(n)$, not $O(n \\log n)$ or $\\Theta(n^2)$']],
})
docusaurus.edit('a new writer with a picture of a known host', {
  'website/blog/authors.yml': [
    [
      '  image_url: https://github.com/miraholt.png',
      `
  image_url: https://github.com/miraholt.png
olu:
  name: Olu Adé
  url: https://olu.example
  image_url: https://github.com/oluade.png`,
    ],
  ],
})
docusaurus.edit('the label of a folder', {
  'website/docs/guides/_category_.json': [
    ['How to use Quarry.', 'How to install, configure and use Quarry.'],
  ],
})
docusaurus.edit('an item in the sidebar', {
  'website/sidebars.js': [["'guides/configure']", "'guides/configure', 'guides/playground']"]],
})
docusaurus.edit('a category in the sidebar', {
  'website/sidebars.js': [
    [
      "    'intro',",
      `
    'intro',
    { type: 'category', label: 'More', collapsed: true, items: ['guides/playground'] },
    { type: 'link', label: 'Posts', href: '/blog' },`,
    ],
  ],
})
docusaurus.move('a page with live code', 'website/docs/guides/playground.mdx', 'website/docs/playground.mdx')
docusaurus.remove('a page of an old version', 'website/versioned_docs/version-2.0/intro.md')

export const harmlessDocusaurusChanges = [...docusaurus.cases]
