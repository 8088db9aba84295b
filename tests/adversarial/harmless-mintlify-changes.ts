import { casesOf } from './harmless-case.ts'
import { mintlifySite } from './harmless-mdx-sites.ts'

// Changes of a Mintlify site, also around what runs in its pages, and pages with what the site loads already.

const mintlify = casesOf(mintlifySite)

mintlify.page(
  "an image of the site's own host",
  'docs/guides/hubs.mdx',
  `
---
title: Hubs
---

![Hubs in 2026](https://cdn.parcelo.example/hubs-2026.png)

The map is drawn once a year.
`,
)
mintlify.page(
  "a video of the site's known frame",
  'docs/guides/video-returns.mdx',
  `
---
title: Returns on video
---

<iframe
  className="w-full aspect-video rounded-xl"
  src="https://www.youtube.com/embed/r3Turn5"
  title="Returns"
  allowFullScreen
></iframe>
`,
)
mintlify.page(
  'a picture for each theme',
  'docs/guides/dark.mdx',
  `
---
title: "Dark mode"
---

<img
  className="block dark:hidden"
  height={200}
  src="/images/hero-light.png"
  alt="Light"
  noZoom
/>
<img className="hidden dark:block" height="200" src="/images/hero-dark.png" alt="Dark" />
`,
)
mintlify.edit('a typo in a callout', {
  'docs/quickstart.mdx': [['A parcel over 31500 g is refused', 'A parcel of more than 31,500 g is refused']],
})
mintlify.edit('a step more', {
  'docs/quickstart.mdx': [
    [
      '  <Step title="Buy the label">',
      `
  <Step title="Compare the rates" icon="scale-balanced">
    Ask \`GET /rates\` for all carriers that take the parcel.

    \`\`\`json
    { "carrier": "nordpak", "cents": 489 }
    \`\`\`
  </Step>
  <Step title="Buy the label">`,
    ],
  ],
})
mintlify.edit('another tab', {
  'docs/quickstart.mdx': [
    [
      `
  </Tab>
</Tabs>`,
      `
  </Tab>
  <Tab title="On your own servers" icon="server">
    Ask for an image of Docker.
  </Tab>
</Tabs>`,
    ],
  ],
})
mintlify.edit('code for one more manager', {
  'docs/quickstart.mdx': [
    [
      '    ```bash pip',
      `
    \`\`\`bash uv
    uv add parcelo
    \`\`\`

    \`\`\`bash pip`,
    ],
  ],
})
mintlify.edit('a row of a table', {
  'docs/guides/labels.mdx': [
    [
      '| `zpl`  | 4x6" | thermal printers |',
      `
| \`zpl\`  | 4x6" | thermal printers |
| \`epl\`  | 4x6" | thermal printers before 2010 |`,
    ],
  ],
})
mintlify.edit('a heading renamed with its link', {
  'docs/guides/labels.mdx': [['## Void a label', '## Cancel a label']],
  'docs/quickstart.mdx': [
    [
      'The label is a PDF in A6.',
      'The label is a PDF in A6. It can be [cancelled](/guides/labels#cancel-a-label).',
    ],
  ],
})
mintlify.edit('an accordion taken away', {
  'docs/guides/labels.mdx': [
    [
      '<Accordion title="What happens to the money?">It is credited on the next invoice.</Accordion>',
      'The price is credited on the next invoice.',
    ],
  ],
})
mintlify.edit('a snippet taken away with its import', {
  'docs/guides/labels.mdx': [
    ['import Limits from "/snippets/limits.mdx";', ''],
    ['<Limits />', 'Sandbox keys may send 100 requests each minute.'],
  ],
})
mintlify.edit('the text of a snippet', {
  'docs/snippets/limits.mdx': [['100 requests', '**120** requests']],
})
mintlify.edit('a variable of a snippet', {
  'docs/snippets/variables.mdx': [['"Parcelo"', '"Parcelo 2"']],
})
mintlify.edit('text beside a component of the page', {
  'docs/guides/video.mdx': [
    ['The video below shows how to print.', 'The video below shows how to print on A6 and on 4x6".'],
  ],
})
mintlify.edit('a component moved within the page', {
  'docs/guides/video.mdx': [
    [
      `

<Player id="print" />`,
      '',
    ],
    [
      'The video below shows how to print.',
      `
The video below shows how to print.

<Player id="print" />`,
    ],
  ],
})
mintlify.edit('another value for a component of the page', {
  'docs/guides/video.mdx': [['<Player id="print" />', '<Player id="print-a6" />']],
})
mintlify.edit('a frame moved to another page', {
  'docs/guides/video.mdx': [
    [
      `
<iframe
  className="w-full aspect-video rounded-xl"
  src="https://www.youtube.com/embed/pR1nTm3"
  title="How to print"
  allowFullScreen
></iframe>`,
      'It stands with the [labels](/guides/labels).',
    ],
  ],
  'docs/guides/labels.mdx': [
    [
      '## Void a label',
      `
<iframe
  className="w-full aspect-video rounded-xl"
  src="https://www.youtube.com/embed/pR1nTm3"
  title="How to print"
  allowFullScreen
></iframe>

## Void a label`,
    ],
  ],
})
mintlify.edit('another video of the same host', {
  'docs/guides/video.mdx': [['embed/pR1nTm3', 'embed/pR1nTm4']],
})
mintlify.edit('front matter added', {
  'docs/guides/labels.mdx': [
    [
      'title: Labels',
      `
title: Labels
description: "Buy, print and void labels."
icon: "tag"
keywords: ["zpl", "pdf"]`,
    ],
  ],
})
mintlify.edit(
  'a page in the navigation',
  {
    'docs/docs.json': [['"guides/video"]', '"guides/video", "guides/errors"]']],
  },
  {
    'docs/guides/errors.mdx': `
---
title: Errors
---

Every error has a code.
`,
  },
)
mintlify.edit('a group with icons in the navigation', {
  'docs/docs.json': [
    [
      '{ "group": "Guides", "pages"',
      '{ "group": "More", "icon": "ellipsis", "tag": "BETA", "expanded": false, "pages": ["changelog"] }, { "group": "Guides", "pages"',
    ],
  ],
})
mintlify.edit('a redirect within the site', {
  'docs/docs.json': [
    [
      '"redirects": [',
      '"redirects": [{ "source": "/api/parcels/:id", "destination": "/api-reference/create-parcel", "permanent": true }, ',
    ],
  ],
})
mintlify.edit("a description in the API's file", {
  'docs/api-reference/openapi.json': [
    [
      'Creates a parcel without a label.',
      'Creates a parcel. It has no label until one is [bought](/guides/labels); `weight_g` must be > 0.',
    ],
  ],
})
mintlify.edit("one more operation in the API's file", {
  'docs/api-reference/openapi.json': [
    [
      '  "paths": {',
      `
  "paths": {
    "/parcels/{id}": {
      "get": {
        "summary": "One parcel",
        "tags": ["parcels"],
        "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string", "pattern": "^par_[a-z0-9]{8}$" }, "example": "par_1a2b3c4d" }],
        "responses": { "200": { "description": "The parcel" }, "404": { "description": "There is none" } }
      }
    },`,
    ],
  ],
})
mintlify.edit('the newest update', {
  'docs/changelog.mdx': [
    [
      '<Update label="March 2026"',
      `
<Update label="June 2026" description="v2.5.0" tags={["API", "Labels"]}>
  ## Labels in EPL

  Printers of before 2010 print again. See [formats](/guides/labels#formats).
</Update>

<Update label="March 2026"`,
    ],
  ],
})
mintlify.edit('a field with a default', {
  'docs/guides/tracking.mdx': [
    [
      '<ResponseField name="status" type="string" required>',
      `
<ResponseField name="place" type="string" default="unknown">
  The town of the last scan.
</ResponseField>

<ResponseField name="status" type="string" required>`,
    ],
  ],
})
mintlify.edit('a picture with another width', {
  'docs/guides/tracking.mdx': [
    ['alt="Dashboard" width="600"', 'alt="The dashboard" width="720" style={{ borderRadius: "0.5rem" }}'],
  ],
})
mintlify.edit('text beside an import and expressions', {
  'docs/index.mdx': [
    ['Buy your first label in five minutes.', 'Buy and print your first label in five minutes.'],
  ],
})
mintlify.edit('an import moved to another page', {
  'docs/index.mdx': [
    ['import Limits from "/snippets/limits.mdx";', ''],
    [
      `

<Limits />`,
      '',
    ],
  ],
  'docs/quickstart.mdx': [
    [
      '<Info>',
      `
import Limits from "/snippets/limits.mdx";

<Limits />

<Info>`,
    ],
  ],
})
mintlify.move(
  'a page with components of its own to another folder',
  'docs/guides/video.mdx',
  'docs/tutorials/video.mdx',
)
mintlify.move('a page that others link to', 'docs/guides/tracking.mdx', 'docs/guides/follow.mdx')
mintlify.remove('a page of the API', 'docs/api-reference/errors.mdx')

export const harmlessMintlifyChanges = [...mintlify.cases]
