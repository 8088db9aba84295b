import { casesOf } from './harmless-case.ts'
import { mintlifySite } from './harmless-mdx-sites.ts'

// New pages of a Mintlify site, with the components that every such site has.

const mintlify = casesOf(mintlifySite)

mintlify.page(
  'cards in columns',
  'docs/guides/overview.mdx',
  `
---
title: "Guides"
description: "What you can build with parcels."
icon: "compass"
mode: "wide"
---

<CardGroup cols={3}>
  <Card title="Labels" icon="tag" href="/guides/labels" horizontal>
    Buy, print and void.
  </Card>
  <Card title="Tracking" icon="truck" href="/guides/tracking" cta="Read on" arrow="true">
    Scans as they happen.
  </Card>
  <Card title="Status" icon="signal" iconType="duotone" color="#0D7C66" href="https://status.parcelo.example">
    All systems.
  </Card>
</CardGroup>

<Columns cols={2}>
  <Card title="With a picture" img="/images/tracking.png">
    A card shows a picture of the site.
  </Card>
</Columns>
`,
)
mintlify.page(
  'steps with code in them',
  'docs/guides/webhooks.mdx',
  `
---
title: "Webhooks"
---

<Steps titleSize="h3">
  <Step title="Open an endpoint" stepNumber={1}>
    \`\`\`js server.js {3-5}
    import express from "express"
    const app = express()
    app.post("/scans", (req, res) => {
      if (req.body.type === "scan") console.log(\`\${req.body.id} moved\`)
      res.sendStatus(204)
    })
    \`\`\`
  </Step>
  <Step title="Check the signature">
    The header \`X-Parcelo-Signature\` holds an HMAC of the body.

    <Check>A wrong signature is answered with \`401\`.</Check>
  </Step>
</Steps>
`,
)
mintlify.page(
  'tabs with tables',
  'docs/guides/carriers.mdx',
  `
---
title: Carriers
---

<Tabs>
  <Tab title="Europe" icon="earth-europe">
    | Carrier | Weight | Tracking |
    | :------ | -----: | :------: |
    | Nordpak | 30 kg  | yes      |
    | Südpost | 20 kg  | no       |
  </Tab>
  <Tab title="Asia">
    | Carrier | Weight |
    | ------- | ------ |
    | Higashi | 25 kg  |
  </Tab>
</Tabs>
`,
)
mintlify.page(
  'accordions as a list of questions',
  'docs/guides/faq.mdx',
  `
---
title: "Frequently asked"
---

<AccordionGroup>
  <Accordion title="Can I ship batteries?" icon="battery-full" defaultOpen>
    Yes, with the option \`dangerous: true\`.
  </Accordion>
  <Accordion title={"What does \\"in transit\\" mean?"} description="About scans">
    A hub has scanned it: 1 < scans.

    - Ask the [carrier](/guides/carriers#europe).
    - Write to [us](mailto:help@parcelo.example).
  </Accordion>
</AccordionGroup>
`,
)
mintlify.page(
  'groups of code in five languages',
  'docs/guides/clients.mdx',
  `
---
title: Clients
---

<CodeGroup dropdown>

\`\`\`python main.py expandable
from parcelo import Client

with Client(api_key="YOUR_API_KEY") as client:
    for parcel in client.parcels.list(limit=10):
        print(f"{parcel.id}: {parcel.status}")
\`\`\`

\`\`\`go main.go lines highlight={3}
func main() {
	client := parcelo.New(os.Getenv("PARCELO_KEY"))
	parcels, err := client.List(ctx, &parcelo.ListOptions{Limit: 10})
}
\`\`\`

\`\`\`ruby main.rb wrap
client = Parcelo::Client.new(ENV.fetch("PARCELO_KEY"))
client.parcels.each { |parcel| puts parcel.id }
\`\`\`

\`\`\`php main.php
<?php
$client = new Parcelo\\Client(getenv('PARCELO_KEY'));
\`\`\`

\`\`\`rust main.rs focus={1}
let parcels: Vec<Parcel> = client.list().await?;
\`\`\`

</CodeGroup>
`,
)
mintlify.page(
  'frames and icons',
  'docs/guides/printers.mdx',
  `
---
title: Printers
---

<Frame caption="A *thermal* printer" hint="It needs no ink.">
  ![Printer](/images/printer.png)
</Frame>

Choose <Icon icon="print" size={20} color="#0D7C66" /> in the menu, then <Badge color="green">4x6</Badge>.

<Frame>
  <video autoPlay muted loop playsInline className="w-full" src="/videos/print.mp4"></video>
</Frame>
`,
)
mintlify.page(
  'every kind of callout',
  'docs/guides/safety.mdx',
  `
---
title: Dangerous goods
---

<Note>Batteries are class 9.</Note>

<Tip>Ask the carrier first.</Tip>

<Warning>**Never** put lithium into a letter.</Warning>

<Danger>A wrong declaration is a crime.</Danger>

<Callout icon="key" color="#FFC107" iconType="regular">Only the owner may declare.</Callout>
`,
)
mintlify.page(
  'a snippet of the site',
  'docs/guides/limits.mdx',
  `
---
title: Limits
---

import Limits from "/snippets/limits.mdx";

# How much

<Limits />

Beyond that, **wait** for the seconds in \`Retry-After\`.
`,
)
mintlify.page(
  'variables of a snippet',
  'docs/guides/sandbox.mdx',
  `
---
title: Sandbox
---

import { product, sandboxUrl } from "/snippets/variables.mdx";

{product} has a sandbox at {sandboxUrl}. Nothing there costs money.
`,
)
mintlify.page(
  'updates by month',
  'docs/changelog-clients.mdx',
  `
---
title: "Clients: changelog"
description: "What changed in our clients."
---

<Update label="May 2026" description="Python 3.0" tags={["Python", "Breaking"]}>
  ### Removed

  - \`Client.ship()\`, use \`client.labels.buy()\`.

  \`\`\`diff
  - client.ship(parcel)
  + client.labels.buy(parcel.id)
  \`\`\`
</Update>

<Update label="April 2026">
  The JavaScript client retries \`5xx\` up to 3 times.
</Update>
`,
)
mintlify.page(
  'a drawing',
  'docs/guides/lifecycle.mdx',
  `
---
title: Lifecycle
---

\`\`\`mermaid
stateDiagram-v2
  [*] --> created
  created --> in_transit: first scan
  in_transit --> delivered
  in_transit --> returned: refused
  delivered --> [*]
\`\`\`
`,
)
mintlify.page(
  'comments of MDX',
  'docs/guides/notes.mdx',
  `
---
title: Notes
---

{/* Ask Jo before this page is made public. */}

Weights are in grams {/* not ounces */}, sizes in millimetres.
`,
)
mintlify.page(
  'a tree of files',
  'docs/guides/project.mdx',
  `
---
title: "A project"
---

<Tree>
  <Tree.Folder name="src" defaultOpen>
    <Tree.File name="index.ts" />
    <Tree.Folder name="carriers">
      <Tree.File name="nordpak.ts" />
    </Tree.Folder>
  </Tree.Folder>
</Tree>
`,
)
mintlify.page(
  'a side panel and a tooltip',
  'docs/guides/glossary.mdx',
  `
---
title: Glossary
---

<Panel>
  <Info>Terms are as the carriers use them.</Info>
</Panel>

A <Tooltip headline="HUB" tip="A building where parcels change vehicles." cta="See hubs" href="/guides/tracking">hub</Tooltip> sorts at night.

**ETA**
: The day on which it should arrive.
`,
)
mintlify.page(
  'redirected front matter',
  'docs/guides/partners.mdx',
  `
---
title: Partners
url: "https://partners.parcelo.example"
noindex: true
keywords: ["partner", "reseller"]
"og:title": "Partners of Parcelo"
---
`,
)
mintlify.page(
  'links and tables',
  'docs/guides/prices.mdx',
  `
---
title: Prices
---

| Plan | Labels | Price |
| --- | --- | --- |
| Free | ≤ 50 | € 0 |
| Team | 51–5,000 | € 0.05 each |

See the [price list][list] or [ask](/guides/faq "Questions"), and <https://parcelo.example/terms>.

[list]: https://parcelo.example/prices "Prices"
`,
)
mintlify.page(
  'plain code with braces',
  'docs/guides/templates.mdx',
  `
---
title: Templates
---

Write \`{{ parcel.id }}\` or \`{parcel.id}\` where the number belongs; \`<b>\` is allowed.

\`\`\`handlebars
<p>{{#each scans}}{{place}} at {{time}}{{/each}}</p>
\`\`\`

\`\`\`jsx Label.jsx
export default function Label({ parcel, onPrint }) {
  return <button onClick={() => onPrint(parcel.id)}>{parcel.name}</button>
}
\`\`\`
`,
)
mintlify.page(
  'prompts and views',
  'docs/guides/assistants.mdx',
  `
---
title: Assistants
---

<View title="Python" icon="python">
  Use \`parcelo\` 3.
</View>

<Prompt description="Write a client" icon="sparkles">
Write a client for the Parcelo API that lists the parcels of today.
</Prompt>
`,
)

export const harmlessMintlify = [...mintlify.cases]
