import type { DocsSite } from './harmless-case.ts'

// Sites of Mintlify and Docusaurus that harmless changes are made to, as honest teams have them: with components, imports, frames and code that are theirs.

export const mintlifySite: DocsSite = {
  root: 'docs',
  base: {
    'docs/docs.json': `
{
  "name": "Parcelo",
  "theme": "mint",
  "colors": { "primary": "#0D7C66" },
  "navigation": {
    "tabs": [
      {
        "tab": "Guides",
        "groups": [{ "group": "Start", "pages": ["index", "quickstart"] }, { "group": "Guides", "pages": ["guides/labels", "guides/tracking", "guides/video"] }]
      },
      { "tab": "API", "groups": [{ "group": "Parcels", "openapi": "api-reference/openapi.json", "pages": ["api-reference/create-parcel"] }] }
    ],
    "global": { "anchors": [{ "anchor": "Status", "href": "https://status.parcelo.example", "icon": "signal" }] }
  },
  "redirects": [{ "source": "/labels", "destination": "/guides/labels" }],
  "footer": { "socials": { "github": "https://github.com/parcelo" } },
  "integrations": { "plausible": { "domain": "docs.parcelo.example" } }
}
`,
    'docs/index.mdx': `
---
title: "Parcelo documentation"
sidebarTitle: "Overview"
description: "Ship parcels with one API for forty carriers."
icon: "box"
---

import Limits from "/snippets/limits.mdx";
import { product, sandboxUrl } from "/snippets/variables.mdx";

<img className="block dark:hidden" src="/images/hero-light.png" alt="A parcel on its way" />
<img className="hidden dark:block" src="/images/hero-dark.png" alt="A parcel on its way" />

## Choose your way in

<CardGroup cols={2}>
  <Card title="Quickstart" icon="rocket" href="/quickstart">
    Buy your first label in five minutes.
  </Card>
  <Card title="Track a parcel" icon="truck" href="/guides/tracking">
    Subscribe to every scan of a carrier.
  </Card>
</CardGroup>

{product} answers on {sandboxUrl} as well.

<Limits />
`,
    'docs/quickstart.mdx': `
---
title: Quickstart
description: Buy a label in five minutes.
---

<Info>**Prerequisite**: an account with at least one carrier.</Info>

<Steps>
  <Step title="Install the client">
    <CodeGroup>

    \`\`\`bash npm
    npm install @parcelo/client
    \`\`\`

    \`\`\`bash pip
    pip install parcelo
    \`\`\`

    </CodeGroup>
  </Step>
  <Step title="Create a parcel" icon="box">
    Send the addresses and the weight in grams.

    <Warning>A parcel over 31500 g is refused by most carriers.</Warning>
  </Step>
  <Step title="Buy the label">
    The label is a PDF in A6.
  </Step>
</Steps>

<Tabs>
  <Tab title="Sandbox">Labels cost nothing and cannot be scanned.</Tab>
  <Tab title="Production">
    Labels are billed at the end of the month.
  </Tab>
</Tabs>
`,
    'docs/guides/labels.mdx': `
---
title: Labels
---

import Limits from "/snippets/limits.mdx";

## Formats

| Format | Size | Use |
| ------ | ---- | --- |
| \`pdf\`  | A6   | office printers |
| \`zpl\`  | 4x6" | thermal printers |

## Void a label

A label can be voided until the carrier scans it.

<Accordion title="What happens to the money?">It is credited on the next invoice.</Accordion>

<Limits />
`,
    'docs/guides/tracking.mdx': `
---
title: Tracking
---

<Frame caption="The dashboard with three parcels">
  <img src="/images/tracking.png" alt="Dashboard" width="600" />
</Frame>

<ResponseField name="status" type="string" required>
  One of \`created\`, \`in_transit\`, \`delivered\`.
</ResponseField>

<Tooltip tip="A scan is a single event of a carrier.">Scans</Tooltip> arrive within minutes.

![Map of hubs](https://cdn.parcelo.example/hubs.png)
`,
    'docs/guides/video.mdx': `
---
title: Watch
---

export const Player = ({ id }) => {
  const [open, setOpen] = useState(false)
  return <button onClick={() => setOpen(!open)}>{open ? id : "Show"}</button>
}

The video below shows how to print.

<iframe
  className="w-full aspect-video rounded-xl"
  src="https://www.youtube.com/embed/pR1nTm3"
  title="How to print"
  allowFullScreen
></iframe>

<Player id="print" />
`,
    'docs/api-reference/openapi.json': `
{
  "openapi": "3.1.0",
  "info": { "title": "Parcelo API", "version": "2.4.0" },
  "servers": [{ "url": "https://api.parcelo.example/v2" }],
  "paths": {
    "/parcels": {
      "post": { "summary": "Create a parcel", "description": "Creates a parcel without a label.", "responses": { "201": { "description": "The parcel" } } }
    }
  }
}
`,
    'docs/api-reference/create-parcel.mdx': `
---
title: "Create a parcel"
openapi: "POST /parcels"
---
`,
    'docs/api-reference/errors.mdx': `
---
title: Errors
---

<ParamField body="code" type="string">
  The reason in one word.
</ParamField>

<RequestExample>

\`\`\`bash cURL
curl -X POST https://api.parcelo.example/v2/parcels -H "Authorization: Bearer YOUR_API_KEY"
\`\`\`

</RequestExample>
`,
    'docs/changelog.mdx': `
---
title: Changelog
rss: true
---

<Update label="March 2026" description="v2.4.0" tags={["API"]}>
  ## Return labels

  A parcel can have a label for its way back.
</Update>
`,
    'docs/snippets/limits.mdx': `
<Note>
  Sandbox keys may send 100 requests each minute.
</Note>
`,
    'docs/snippets/variables.mdx': `
export const product = "Parcelo";

export const sandboxUrl = "https://sandbox.parcelo.example";
`,
  },
}

export const docusaurusSite: DocsSite = {
  root: 'website',
  base: {
    'website/docusaurus.config.js': `
import remarkMath from 'remark-math'
import rehypeKatex from 'rehype-katex'

export default {
  title: 'Quarry',
  url: 'https://quarry.example',
  baseUrl: '/',
  markdown: { mermaid: true },
  themes: ['@docusaurus/theme-mermaid'],
  presets: [
    ['classic', { docs: { sidebarPath: './sidebars.js', remarkPlugins: [remarkMath], rehypePlugins: [rehypeKatex] }, blog: { showReadingTime: true } }],
  ],
}
`,
    'website/sidebars.js': `
export default {
  docs: [
    'intro',
    { type: 'category', label: 'Guides', items: ['guides/install', 'guides/configure'] },
  ],
}
`,
    'website/docs/intro.md': `
---
id: intro
title: Introduction
slug: /
sidebar_position: 1
---

Quarry cuts large files into pieces that fit a queue.

\`\`\`mermaid
graph LR
  A[File] --> B[Cutter]
  B --> C[Queue]
\`\`\`

:::tip

Begin with a file below 1 GB.

:::
`,
    'website/docs/guides/install.mdx': `
---
title: Install
sidebar_label: Install
tags: [setup]
---

import Tabs from '@theme/Tabs'
import TabItem from '@theme/TabItem'
import Versions from '@site/src/components/Versions'

<Tabs groupId="package-manager">
  <TabItem value="npm" label="npm" default>

\`\`\`bash
npm install quarry
\`\`\`

  </TabItem>
  <TabItem value="yarn" label="Yarn">
    Use \`yarn add quarry\`.
  </TabItem>
</Tabs>

<Versions since="3.0" />

<video controls src="/video/install.mp4"></video>
`,
    'website/docs/guides/configure.mdx': `
---
title: Configure
description: Every setting of Quarry.
keywords:
  - settings
---

import Link from '@docusaurus/Link'
import useBaseUrl from '@docusaurus/useBaseUrl'
import CodeBlock from '@theme/CodeBlock'
import example from '!!raw-loader!../../examples/quarry.yaml'
import Shared from './_shared.mdx'

## Settings {#settings}

\`\`\`yaml title="quarry.yaml" {2,4-5} showLineNumbers
pieces:
  size: 4MiB
queue:
  name: pieces
  retries: 3
\`\`\`

:::caution[Sizes are binary]

\`MiB\` is 1024 times 1024 bytes.

:::

<CodeBlock language="yaml">{example}</CodeBlock>

<img src={useBaseUrl('/img/settings.png')} alt="Settings" />

<Shared />

See <Link to="/">the introduction</Link>.
`,
    'website/docs/guides/_shared.mdx': `
All settings can be given by the environment.
`,
    'website/docs/guides/playground.mdx': `
---
title: Playground
---

import BrowserWindow from '@site/src/components/BrowserWindow'
import { Piece, merge } from '@site/src/lib/pieces'

Type a size to see the pieces.

\`\`\`jsx live
function Pieces() {
  return <Piece size={4} />
}
\`\`\`

<BrowserWindow url="http://localhost:3000">

<button onClick={() => merge(4)}>Merge</button>

</BrowserWindow>

<p style={{ color: 'var(--ifm-color-primary)' }}>Sizes are in MiB.</p>
`,
    'website/examples/quarry.yaml': `
pieces:
  size: 4MiB
`,
    'website/docs/guides/_category_.json': `
{ "label": "Guides", "position": 2, "link": { "type": "generated-index", "description": "How to use Quarry." } }
`,
    'website/versioned_docs/version-2.0/intro.md': `
---
title: Introduction
---

Quarry 2 cuts files into peices.
`,
    'website/versions.json': `
["2.0"]
`,
    'website/blog/authors.yml': `
mira:
  name: Mira Holt
  title: Maintainer
  url: https://github.com/miraholt
  image_url: https://github.com/miraholt.png
`,
    'website/blog/2026-01-14-quarry-3.md': `
---
title: Quarry 3
authors: [mira]
tags: [release]
---

Quarry 3 is twice as fast.

<!-- truncate -->

## Why

The cutter reads ahead now. The cost of a cut is $O(n \\log n)$.[^1]

[^1]: Measured on files of 10 GB.
`,
  },
}
