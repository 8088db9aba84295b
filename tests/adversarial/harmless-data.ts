import { casesOf } from './harmless-case.ts'
import { githubSite } from './harmless-markdown-sites.ts'
import { docusaurusSite, mintlifySite } from './harmless-mdx-sites.ts'
import { mkdocsSite } from './harmless-other-sites.ts'

// Navigation, redirects, glossaries, translations, and descriptions of APIs with their pages.

const mintlify = casesOf(mintlifySite)
const docusaurus = casesOf(docusaurusSite)
const mkdocs = casesOf(mkdocsSite)
const github = casesOf(githubSite)

mintlify.page(
  'fields of a request',
  'docs/api-reference/parcel-object.mdx',
  `
---
title: "The parcel"
sidebarTitle: "Parcel"
tag: "NEW"
---

<ParamField query="limit" type="integer" default="20" required>
  Between 1 and 100.
</ParamField>

<ParamField header="Idempotency-Key" type="string" deprecated>
  A UUID. The same key gives the same parcel.
</ParamField>

<ResponseField name="data" type="Parcel[]" pre={["array"]}>
  The parcels of the page.

  <Expandable title="parcel" defaultOpen={false}>
    <ResponseField name="id" type="string">
      It begins with \`par_\`.
    </ResponseField>
    <ResponseField name="weight_g" type="integer | null" />
  </Expandable>
</ResponseField>
`,
)
mintlify.page(
  'examples of requests and responses',
  'docs/api-reference/list-labels.mdx',
  `
---
title: "List labels"
api: "GET /labels"
---

<RequestExample>

\`\`\`bash cURL
curl "https://api.parcelo.example/v2/labels?limit=2" \\
  -H "Authorization: Bearer $PARCELO_KEY"
\`\`\`

</RequestExample>

<ResponseExample>

\`\`\`json 200
{ "data": [{ "id": "lab_1", "url": "https://example.com/lab_1.pdf" }], "next": null }
\`\`\`

\`\`\`json 429
{ "error": { "code": "rate_limited", "retry_after": 12 } }
\`\`\`

</ResponseExample>
`,
)
mintlify.page(
  'an operation of the description',
  'docs/api-reference/void-label.mdx',
  `
---
title: "Void a label"
openapi: "api-reference/openapi.json DELETE /labels/{id}"
playground: "simple"
---
`,
)
mintlify.page(
  'settings of the playground',
  'docs/api-reference/rates.mdx',
  `
---
title: "Rates"
api: "POST /rates"
authMethod: "bearer"
contentType: "application/json"
playground: "interactive"
hideApiMarker: true
---

<ParamField body="from" type="string" placeholder="DE-10115">
  Country and postal code.
</ParamField>
`,
)
mintlify.edit('a tab more in the navigation', {
  'docs/docs.json': [
    [
      '      { "tab": "API", "groups"',
      `
      { "tab": "Changelog", "icon": "clock", "pages": ["changelog"] },
      { "tab": "API", "groups"`,
    ],
  ],
})
mintlify.edit('a nested group', {
  'docs/docs.json': [
    [
      '"pages": ["guides/labels", "guides/tracking", "guides/video"]',
      '"pages": ["guides/labels", { "group": "Follow", "pages": ["guides/tracking", "guides/video"] }]',
    ],
  ],
})
mintlify.edit('a link in the footer', {
  'docs/docs.json': [
    [
      '"socials": {',
      '"links": [{ "header": "Company", "items": [{ "label": "About", "href": "https://parcelo.example/about" }] }], "socials": { "x": "https://x.com/parcelo", ',
    ],
  ],
})
mintlify.edit('an anchor renamed', {
  'docs/docs.json': [['"anchor": "Status"', '"anchor": "Service status"']],
})
mintlify.edit('a page out of the navigation', {
  'docs/docs.json': [['"guides/tracking", "guides/video"', '"guides/tracking"']],
})
mintlify.edit('a schema with signs', {
  'docs/api-reference/openapi.json': [
    [
      '  "paths": {',
      `
  "components": {
    "schemas": {
      "Parcel": {
        "type": "object",
        "description": "A parcel with \`weight_g\` < 31500.\\n\\n| Field | Unit |\\n| --- | --- |\\n| weight_g | g |",
        "required": ["id"],
        "properties": {
          "id": { "type": "string", "pattern": "^par_[0-9a-f]{8}$", "examples": ["par_0a1b2c3d"] },
          "callback": { "type": "string", "format": "uri", "example": "https://example.com/hooks" },
          "tags": { "type": "array", "items": { "type": "string" }, "maxItems": 10 }
        }
      }
    }
  },
  "paths": {`,
    ],
  ],
})
mintlify.edit('a version of the API', {
  'docs/api-reference/openapi.json': [
    [
      '"version": "2.4.0"',
      '"version": "2.5.0", "contact": { "name": "Parcelo", "email": "api@parcelo.example" }, "license": { "name": "MIT" }',
    ],
  ],
})
mintlify.page(
  'an API in YAML with the same server',
  'docs/api-reference/hooks.yaml',
  `
openapi: 3.1.0
info:
  title: Hooks
  version: 1.0.0
  description: |
    What we send to **you**.

    - \`scan\`
    - \`delivered\`
servers:
  - url: https://api.parcelo.example/v2
paths:
  /hooks/{id}:
    get:
      summary: One hook
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        '200': { description: The hook }
`,
)
mintlify.page(
  'a glossary',
  'docs/data/glossary.yaml',
  `
- term: Scan
  definition: "A single event of a carrier: arrival, departure, delivery."
  see: [hub, eta]
- term: Hub
  definition: >-
    A building where parcels
    change vehicles.
  link: /guides/tracking#hub
- term: 'C&F'
  definition: Cost & freight < insurance
`,
)
mintlify.page(
  'a table of carriers',
  'docs/data/carriers.csv',
  `
name,country,max_kg,site
Nordpak,SE,30,https://nordpak.example
"Süd, Post",DE,20,https://suedpost.example
`,
)
mintlify.page(
  'descriptions of errors',
  'docs/data/errors.json',
  `
{
  "errors": [
    { "code": "weight", "status": 422, "message": "The weight is {weight} g; at most {max} g are allowed." },
    { "code": "auth", "status": 401, "message": "Send \\"Authorization: Bearer YOUR_API_KEY\\"." }
  ]
}
`,
)
docusaurus.page(
  'texts of a translation',
  'website/i18n/de/docusaurus-plugin-content-docs/current.json',
  `
{
  "version.label": { "message": "Nächste", "description": "The label for version current" },
  "sidebar.docs.category.Guides": { "message": "Anleitungen", "description": "The label for category Guides in sidebar docs" }
}
`,
)
docusaurus.page(
  'tags of the docs',
  'website/docs/tags.yml',
  `
setup:
  label: Setup
  permalink: /setup
  description: Everything about setting up
release:
  label: 'Release: notes'
`,
)
mkdocs.edit(
  'order of a folder',
  {
    'handbook/docs/guide/.pages': [
      [
        '  - install.md',
        `
  - Install Ledgerly: install.md
  - ...`,
      ],
    ],
  },
  {
    'handbook/docs/guide/.pages': `
title: Guide
nav:
  - install.md
`,
    'handbook/mkdocs.yml': `
site_name: Ledgerly
plugins:
  - search
  - awesome-pages
`,
  },
)
mkdocs.edit('a title and a nested page in the navigation', {
  'handbook/mkdocs.yml': [
    [
      `
  - Guide:
      - guide/install.md`,
      `
  - "Guide: start":
      - Install Ledgerly: guide/install.md
      - Errors:
          - guide/errors.md`,
    ],
  ],
})
mkdocs.edit('redirects of pages that moved', {
  'handbook/mkdocs.yml': [
    [
      '      redirect_maps:',
      `
      redirect_maps:
        usage/old.md: guide/import.md
        'usage/older.md': reference/cli.md#sum`,
    ],
  ],
})
github.page(
  'order of pages in a folder',
  'docs/_meta.json',
  `
{
  "rules": "Rules",
  "options": { "title": "Options", "theme": { "breadcrumb": false } },
  "---": { "type": "separator" },
  "history": { "title": "History", "display": "hidden" }
}
`,
)
github.page(
  'a matrix of systems',
  'docs/data/systems.yml',
  `
systems:
  - name: Linux
    versions: ["6.1", "6.6"]
    notes: ext4 & btrfs
  - name: macOS
    versions: [14, 15]
    notes: 'APFS keeps the case: "A" is not "a"'
`,
)
github.page(
  'entries of a changelog',
  'docs/data/releases.json',
  `
[
  { "version": "2.1.0", "date": "2026-02-11", "notes": "* Links are kept (#212)\\n* \`a < b\`", "url": "https://github.com/tern-cli/tern/releases/tag/v2.1.0" }
]
`,
)

export const harmlessData = [...mintlify.cases, ...docusaurus.cases, ...mkdocs.cases, ...github.cases]
