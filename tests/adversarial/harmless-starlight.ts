import { casesOf } from './harmless-case.ts'
import { starlightSite } from './harmless-markdown-sites.ts'

// New pages of a Starlight site, with its components and asides.

const starlight = casesOf(starlightSite)

starlight.page(
  'cards as the home has them',
  'docs/src/content/docs/guides/index.mdx',
  `
---
title: Guides
description: All guides.
sidebar:
  label: All
  order: 0
  hidden: false
---

import { Card, CardGrid, LinkCard } from '@astrojs/starlight/components';

<CardGrid>
  <Card title="Jobs" icon="rocket">What runs, and when.</Card>
  <LinkCard title="Alerts" href="/guides/alerts/" description="Who is called." />
</CardGrid>
`,
)
starlight.page(
  'steps and tabs',
  'docs/src/content/docs/guides/alerts.mdx',
  `
---
title: Alerts
sidebar:
  order: 3
  badge: Beta
---

import { Steps, Tabs, TabItem } from '@astrojs/starlight/components';

<Steps>

1. Choose a channel.

   <Tabs>
     <TabItem label="Mail" icon="email">

     \`\`\`toml
     [alert]
     mail = "ops@example.com"
     \`\`\`

     </TabItem>
     <TabItem label="Phone">Calls cost money.</TabItem>
   </Tabs>

2. Test it with \`heron alert --test\`.

</Steps>
`,
)
starlight.page(
  'every aside',
  'docs/src/content/docs/guides/clocks.md',
  `
---
title: Clocks
tableOfContents: false
---

:::note
A clock that is late makes late jobs.
:::

:::tip[Use NTP]
\`timedatectl set-ntp true\`
:::

:::caution
Summer time does not exist.
:::

:::danger[Leap seconds]
They do.
:::
`,
)
starlight.page(
  'trees of files',
  'docs/src/content/docs/reference/files.mdx',
  `
---
title: Files
---

import { FileTree } from '@astrojs/starlight/components';

<FileTree>

- /etc/heron
  - **jobs.toml** the jobs
  - keys/
    - agent.pub
- …

</FileTree>
`,
)
starlight.page(
  'buttons and badges',
  'docs/src/content/docs/reference/versions.mdx',
  `
---
title: Versions
---

import { Badge, LinkButton, Icon } from '@astrojs/starlight/components';

<Badge text="stable" variant="success" size="small" /> 1.6 <Icon name="star" color="goldenrod" size="2rem" />

<LinkButton href="/guides/setup/" variant="secondary" icon="right-arrow">Set up</LinkButton>
`,
)
starlight.page(
  'code with frames and marks',
  'docs/src/content/docs/reference/jobs.md',
  `
---
title: Jobs
---

\`\`\`js title="hook.mjs" {2-3} ins={5} del={6} "heron" /ev[ae]nt/ collapse={1-2}
import { heron } from 'heron'

heron.on('late', (event) => {
  console.log(\`\${event.job} is late by \${event.ms} ms\`)
  notify(event)
  page(event)
})
\`\`\`

\`\`\`sh frame="none" wrap
heron run backup --env PATH="$PATH:/opt/bin"
\`\`\`
`,
)
starlight.page(
  'an image of the site',
  'docs/src/content/docs/guides/dashboard.mdx',
  `
---
title: Dashboard
---

import { Image } from 'astro:assets';
import shot from '../../../assets/setup.png';

<Image src={shot} alt="The dashboard" width={640} loading="lazy" />

![Jobs](../../../assets/jobs.png)
`,
)
starlight.page(
  'a component that a sibling imports',
  'docs/src/content/docs/guides/groups.mdx',
  `
---
title: Groups
---

import Since from '../../../components/Since.astro';

<Since v="1.6" />

A group of jobs has one alert.
`,
)
starlight.page(
  'front matter of the theme',
  'docs/src/content/docs/guides/long.md',
  `
---
title: Long jobs
description: Jobs of more than a day.
slug: guides/long-jobs
editUrl: false
lastUpdated: 2026-03-01
draft: false
pagefind: true
prev: Set up
next:
  link: /guides/deploy/
  label: Deploy
banner:
  content: Heron 2 is near.
sidebar:
  order: 5
  badge: { text: New, variant: success }
  attrs: { style: 'font-style: italic' }
---

A job may run for 30 days.
`,
)
starlight.page(
  'a splash with a hero',
  'docs/src/content/docs/de/index.mdx',
  `
---
title: Heron
template: splash
hero:
  title: Heron
  tagline: Meldet sich, wenn nichts läuft.
  actions:
    - text: Einrichten
      link: /de/guides/setup/
      icon: right-arrow
      variant: primary
---

import { Card, CardGrid } from '@astrojs/starlight/components';

<CardGrid stagger>
  <Card title="Still" icon="moon">Keine Post, wenn alles läuft.</Card>
</CardGrid>
`,
)
starlight.page(
  'an aside as a component',
  'docs/src/content/docs/guides/keys.mdx',
  `
---
title: Keys
---

import { Aside, Code } from '@astrojs/starlight/components';

<Aside type="tip" title="Rotate">
  Make a new key every year.

  \`\`\`sh
  heron key new
  \`\`\`
</Aside>

<Code code="heron key list" lang="sh" title="Keys" />
`,
)
starlight.page(
  'tables and footnotes',
  'docs/src/content/docs/reference/exit-codes.md',
  `
---
title: Exit codes
---

| Code | Meaning |
| ---: | :------ |
| 0 | done |
| 75 | try again[^1] |

[^1]: As \`EX_TEMPFAIL\` of sysexits.h.

<details>
<summary>Others</summary>

All others are failures.

</details>
`,
)
starlight.page(
  'expressions of plain values',
  'docs/src/content/docs/reference/limits.mdx',
  `
---
title: Limits
---

export const jobs = 5000;

An agent holds {jobs} jobs. {/* was 1000 until 1.3 */}

{'{'}job{'}'} is replaced by the name.
`,
)

export const harmlessStarlight = [...starlight.cases]
