import { casesOf } from './harmless-case.ts'
import { starlightSite } from './harmless-markdown-sites.ts'

// Changes of a Starlight site, also around its own components.

const starlight = casesOf(starlightSite)

starlight.edit('a step more', {
  'docs/src/content/docs/guides/setup.mdx': [
    [
      '2. Name your first job.',
      `
2. Name your first job.

3. Wait for a minute, then look at \`heron status\`.`,
    ],
  ],
})
starlight.edit('another badge in the sidebar', {
  'docs/src/content/docs/guides/setup.mdx': [
    [
      `
    text: New
    variant: tip`,
      `
    text: Updated
    variant: note`,
    ],
  ],
})
starlight.edit('one more tab', {
  'docs/src/content/docs/guides/setup.mdx': [
    [
      '  <TabItem label="macOS">A service of launchd is made.</TabItem>',
      `
  <TabItem label="macOS">A service of launchd is made.</TabItem>
  <TabItem label="Windows" icon="seti:windows">A task is made.</TabItem>`,
    ],
  ],
})
starlight.edit('an aside of another type', {
  'docs/src/content/docs/guides/setup.mdx': [
    ['<Aside type="caution" title="Clocks">', '<Aside type="danger">'],
  ],
})
starlight.edit('a component with another version', {
  'docs/src/content/docs/guides/setup.mdx': [['<Since v="1.4" />', '<Since v="1.4.2" />']],
})
starlight.edit('a file more in the tree', {
  'docs/src/content/docs/guides/setup.mdx': [
    [
      '  - agent.log',
      `
  - agent.log
  - hooks/
    - late.mjs runs when a job is late`,
    ],
  ],
})
starlight.edit('a picture taken away with its imports', {
  'docs/src/content/docs/guides/setup.mdx': [
    [
      `
import { Image } from 'astro:assets';
import shot from '../../../assets/setup.png';`,
      '',
    ],
    ['<Image src={shot} alt="The agent asks for a name" />', ''],
  ],
})
starlight.edit(
  'a component moved to another page',
  {
    'docs/src/content/docs/guides/setup.mdx': [
      ["import Since from '../../../components/Since.astro';", ''],
      ['<Since v="1.4" />', ''],
    ],
    'docs/src/content/docs/reference/history.mdx': [
      [
        'Everything since 1.0.',
        `
import Since from '../../../components/Since.astro';

<Since v="1.4" />

Everything since 1.0.`,
      ],
    ],
  },
  {
    'docs/src/content/docs/reference/history.mdx': `
---
title: History
---

Everything since 1.0.
`,
  },
)
starlight.edit('a line more in code', {
  'docs/src/content/docs/guides/deploy.md': [
    [
      'every = "1h"',
      `
every = "1h"
command = "tar -czf /backup/$(date +%F).tgz {{ dir }}"`,
    ],
  ],
})
starlight.edit('front matter with a badge', {
  'docs/src/content/docs/guides/deploy.md': [
    [
      'title: Deploy',
      `
title: Deploy
sidebar:
  badge: { text: Updated, variant: note }`,
    ],
  ],
})
starlight.edit('words of the hero', {
  'docs/src/content/docs/index.mdx': [
    [
      'tagline: Jobs that report when they do not run.',
      'tagline: "Jobs that report: also when they do not run."',
    ],
  ],
})
starlight.edit('an action more in the hero', {
  'docs/src/content/docs/index.mdx': [
    [
      '      icon: right-arrow',
      `
      icon: right-arrow
    - text: Source
      link: https://github.com/heron-cron/heron
      variant: minimal
      icon: external`,
    ],
  ],
})
starlight.edit(
  'an item in the sidebar',
  {
    'docs/astro.config.mjs': [["'guides/deploy']", "'guides/deploy', 'reference/history']"]],
  },
  {
    'docs/src/content/docs/reference/history.mdx': `
---
title: History
---

Everything since 1.0.
`,
  },
)
starlight.move(
  'a page with components',
  'docs/src/content/docs/guides/setup.mdx',
  'docs/src/content/docs/start/setup.mdx',
)

export const harmlessStarlightChanges = [...starlight.cases]
