import { casesOf } from './harmless-case.ts'
import { macrosSite, mkdocsSite } from './harmless-other-sites.ts'

// New pages of MkDocs sites, with Material's Markdown and with macros.

const mkdocs = casesOf(mkdocsSite)
const macros = casesOf(macrosSite)

mkdocs.page(
  'admonitions of every kind',
  'handbook/docs/guide/errors.md',
  `
# Errors

!!! warning

    An entry without a date is refused.

!!! tip "Dates"
    Write them as \`2026-01-31\`.

!!! info inline end ""
    Years have four digits.

??? bug "Known"
    \`2026-02-30\` is taken.

???+ example
    === "Good"

        \`2026-02-28 bread 3.20\`

    === "Bad"

        \`28 February bread\`
`,
)
mkdocs.page(
  'tabs of content',
  'handbook/docs/guide/shells.md',
  `
# Shells

=== "bash"

    \`\`\` bash
    eval "$(ledgerly completion bash)"
    \`\`\`

=== "fish"

    \`\`\` fish
    ledgerly completion fish | source
    \`\`\`

=== ":material-microsoft-windows: PowerShell"

    | Key | Does |
    | --- | ---- |
    | ++tab++ | completes |
`,
)
mkdocs.page(
  'code with annotations',
  'handbook/docs/guide/rules.md',
  `
# Rules

\`\`\` yaml title="rules.yaml" linenums="1" hl_lines="2-3"
rules:
  - match: "REWE|EDEKA" # (1)!
    account: food # (2)!
  - match: ^Rent \\d{4}$
\`\`\`

1.  A regular expression: \`a|b\` means **a or b**.
2.  The account is made when it is not there.

The sign \`#!python range(10)\` is code in a line.
`,
)
mkdocs.page(
  'keys and critic marks',
  'handbook/docs/guide/keys.md',
  `
# Keys

++ctrl+alt+del++ does nothing, ++"q"++ leaves, ++cmd+k++ searches.

{--Old--} words are {++new++}, {~~wrong~>right~~}, {==marked==}{>>by a reader<<}.

H~2~O and E = mc^2^, ~~gone~~.
`,
)
mkdocs.page(
  'lists of attributes',
  'handbook/docs/guide/buttons.md',
  `
# Buttons { #buttons }

[Write an entry](import.md){ .md-button title="Now" }
[Next :material-arrow-right:](../reference/cli.md){ .md-button .md-button--primary data-preview }

## A table { #table .wide data-toc-label="Table" }

| Name | Value |
| ---- | ----- |
| a    | 1     |
{ .sortable }

![Chart](../images/chart.svg#only-light){ align=left width=300 loading=lazy }
![Chart](../images/chart-dark.svg#only-dark){ align=left width="300" }

[Download](../files/sample.csv){:download="sample.csv" target=_blank rel=noopener}
`,
)
mkdocs.page(
  'definitions and abbreviations',
  'handbook/docs/reference/terms.md',
  `
# Terms

\`Entry\`

:   A line with a date, a text and an amount.

    It may have [tags](#tags).

\`Account\`
:   Where money is.

## Tags

Tags are in CSV and JSON files.

*[CSV]: Comma Separated Values
*[JSON]: JavaScript Object Notation
`,
)
mkdocs.page(
  'footnotes over lines',
  'handbook/docs/reference/taxes.md',
  `
# Taxes

A club pays none[^1], with exceptions[^long].

[^1]: In most countries.
[^long]:
    Shops and bars of a club pay.

    Ask someone who knows.
`,
)
mkdocs.page(
  'settings of the tests of examples',
  'handbook/docs/guide/tested.md',
  `
# Tested

\`\`\`python {requires="3.12" test="skip" upgrade="skip, later"}
class User:
    name: str = 'Jane'
\`\`\`
`,
)
mkdocs.page(
  'icons and emoji',
  'handbook/docs/reference/status.md',
  `
---
icon: material/check
status: new
tags:
  - Status
---

# Status

:material-check:{ .green } works, :octicons-x-16: does not, :fontawesome-solid-truck-fast:{ .lg title="fast" } is fast, :smile: :+1:.
`,
)
mkdocs.page(
  'a grid of cards',
  'handbook/docs/reference/index.md',
  `
---
title: Reference
search:
  boost: 2
---

# Reference

<div class="grid cards" markdown>

-   :material-console:{ .lg .middle } __Commands__

    ---

    All commands with their options.

    [:octicons-arrow-right-24: Commands](cli.md)

-   __Terms__ { .card }

</div>

<div class="grid" markdown>
=== "Left"
    One
</div>
`,
)
mkdocs.page(
  'a drawing',
  'handbook/docs/reference/flow.md',
  `
# Flow

\`\`\` mermaid
flowchart TD
    A[CSV] --> B{Rule?}
    B -->|yes| C[Account]
    B -->|no| D[Ask]
\`\`\`
`,
)
mkdocs.page(
  'a shared text of the handbook',
  'handbook/docs/guide/help.md',
  `
# Help

--8<-- "includes/support.md"

Answers take a day.
`,
)
mkdocs.page(
  'a module as another page has it',
  'handbook/docs/reference/python.md',
  `
# Python

::: ledgerly.ledger
    options:
      show_source: false
`,
)
mkdocs.page(
  'Markdown in HTML',
  'handbook/docs/guide/gallery.md',
  `
# Gallery

<figure markdown="span">
  ![Chart](../images/chart.png){ width="300" }
  <figcaption>Spending of *May*</figcaption>
</figure>

<details markdown="1">
<summary>More</summary>

| a | b |
|---|---|
| 1 | 2 |

</details>

<table>
  <thead><tr><th align="left">Account</th><th colspan="2">Sum</th></tr></thead>
  <tbody><tr><td>Food</td><td>12</td><td>13</td></tr></tbody>
</table>
`,
)
mkdocs.page(
  'a frame of a known host',
  'handbook/docs/guide/import-video.md',
  `
# The import on video

<iframe src="https://www.youtube-nocookie.com/embed/imp0rt2" title="Import, second part"></iframe>
`,
)
mkdocs.page(
  'Jinja shown where no macros run',
  'handbook/docs/reference/reports.md',
  `
# Reports

A report is a template:

\`\`\` jinja
{% for entry in entries if entry.amount < 0 %}
{{ entry.date }} {{ "%.2f"|format(entry.amount) }}
{% endfor %}
\`\`\`

Write \`{{ total }}\` for the sum.
`,
)
mkdocs.page(
  'front matter of the theme',
  'handbook/docs/guide/long.md',
  `
---
title: A long page
description: >-
  Everything about
  entries.
hide:
  - toc
  - feedback
date: 2026-03-01
authors: [ines]
categories: [Guides]
comments: true
---

# A long page

- [x] Read
- [ ] Write

1. One
    - nested by four
        1. deeper
2. Two

***

> Quoted
>
> > twice
`,
)
macros.page(
  'a variable that other pages have',
  'manual/docs/install.md',
  `
# Install

Install version {{ version }} with \`pip install orbitals\`.
`,
)
macros.page(
  'a macro that another page calls',
  'manual/docs/beta.md',
  `
# Beta

{{ badge("stable") }} Nothing is in beta.
`,
)
macros.page(
  'a part that another page takes in',
  'manual/docs/licence.md',
  `
# Licence

{% include "footer.md" %}

The text of the licence is in the archive.
`,
)
macros.page(
  'a page without macros',
  'manual/docs/faq.md',
  `
# Questions

How many satellites? At most 500, see [quotas](quotas.md).

\`\`\`python
orbit = {"name": "low", "satellites": {1, 2}}
print(f"{orbit['name']}")
\`\`\`
`,
)

export const harmlessMkdocs = [...mkdocs.cases, ...macros.cases]
