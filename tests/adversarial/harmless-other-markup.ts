import { casesOf } from './harmless-case.ts'
import { asciidocSite, hugoSite, jekyllSite, sphinxSite } from './harmless-other-sites.ts'

// Pages and changes of sites with templates, and of reStructuredText and AsciiDoc.

const hugo = casesOf(hugoSite)
const jekyll = casesOf(jekyllSite)
const sphinx = casesOf(sphinxSite)
const asciidoc = casesOf(asciidocSite)

hugo.page(
  'shortcodes that other pages have',
  'site/content/docs/faq.md',
  `
---
title: Questions
weight: 90
description: "How deep?"
tags: [faq]
---

{{< note >}}
Ask in the forum.
{{< /note >}}

{{< tabs "version" >}}
{{% tab name="2" %}}
\`fathom --max 10\`
{{% /tab %}}
{{< /tabs >}}

{{< figure src="/images/joins.png" alt="Joins" caption="Three joins" >}}
`,
)
hugo.page(
  'front matter in TOML',
  'site/content/docs/limits.md',
  `
+++
title = "Limits"
weight = 30
date = 2026-02-01T10:00:00Z
draft = false
tags = ["limits", "queries"]

[menu.main]
parent = "docs"
+++

A query has at most 64 joins.
`,
)
hugo.page(
  'a plain page',
  'site/content/docs/glossary.md',
  `
---
title: Glossary
aliases: ["/terms/"]
---

Join
: Two tables read as one.

Depth[^1]
: The number of joins.

[^1]: Not of rows.
`,
)
hugo.page(
  'templates as code',
  'site/content/docs/hash.md',
  `
---
title: Hash
---

\`\`\`go-html-template
{{ $algo := "sha256" }}
{{ "Hello" | crypto.Hash $algo }}
\`\`\`
`,
)
hugo.edit('a typo beside shortcodes', {
  'site/content/docs/start.md': [['defualt', 'default']],
})
hugo.edit('the text in a note', {
  'site/content/docs/start.md': [
    ['Fathom measures deep queries.', 'Fathom measures deep queries, and `EXPLAIN`s them.'],
  ],
})
hugo.edit('a figure with another text', {
  'site/content/docs/start.md': [['alt="Depth"', 'alt="Depth of a query" width="400"']],
})
hugo.edit('a card more', {
  'site/content/_index.md': [
    [
      '{{< /cards >}}',
      `
{{< card link="blog" title="Blog" icon="pencil" >}}
{{< /cards >}}`,
    ],
  ],
})
jekyll.page(
  "tags of the site's templates",
  'pages/usage.md',
  `
---
layout: default
title: Usage
nav_order: 3
parent: Setup
---

# Usage
{: .no_toc }

{: .note }
> Run \`alder\` in the folder.

{% highlight ruby %}
Alder.new(rings: 3)
{% endhighlight %}

Alder is at {{ site.version }}.
`,
)
jekyll.edit('a typo below a block', {
  'pages/setup.md': [['instaler', 'installer']],
})
jekyll.edit('an address below the base path more', {
  'pages/setup.md': [
    [
      "* [Start]({{ '/' | relative_url }})",
      `
* [Start]({{ '/' | relative_url }})
* [FreeBSD]({{ '/install/freebsd/' | relative_url }})

A page of <a href="{{ '/docs/actions/' | relative_url }}" title="Actions">actions</a>.`,
    ],
  ],
})
jekyll.edit('code in a block', {
  'pages/setup.md': [["gem 'alder'", "gem 'alder', '~> 2.0'"]],
})
jekyll.edit('an include taken away', {
  'pages/index.md': [['{% include toc.html %}', '']],
})
sphinx.page(
  'directives that format',
  'sphinx/usage.rst',
  `
.. _usage:

Usage
=====

.. contents:: On this page
   :local:

.. warning::

   Logs of *two* days are kept.

.. code-block:: python
   :linenos:
   :emphasize-lines: 2

   from basalt import listen
   listen("app", on=lambda row: print(row["a"] < 3))

.. versionadded:: 1.2

.. list-table:: Columns
   :header-rows: 1

   * - Name
     - Type
   * - \`\`at\`\`
     - time

See :ref:\`usage\`, :doc:\`install\`, \`\`basalt.listen()\`\` and \`Python <https://www.python.org/>\`_.

.. image:: images/flow.png
   :width: 400
`,
)
sphinx.page(
  'MyST with directives',
  'sphinx/faq.md',
  `
# Questions

\`\`\`{note}
Ask *us*.
\`\`\`

:::{tip}
:class: dropdown
Read the log.
:::

\`\`\`{code-block} python
:caption: main.py
print("a")
\`\`\`

{ref}\`usage\`, {doc}\`install\`, {math}\`a^2\`.

\`\`\`{toctree}
:maxdepth: 1
install
How to use it: a guide <guides/use.md>
The company <https://example.com/>
\`\`\`
`,
)
sphinx.edit('a typo beside an include', {
  'sphinx/install.rst': [['Recieve', 'Receive']],
})
sphinx.edit('a page in the contents', {
  'sphinx/index.rst': [
    [
      `
   install
   api`,
      `
   install
   guide
   api`,
    ],
  ],
})
sphinx.edit('a note of MyST', {
  'sphinx/guide.md': [['A column is one field.', 'A column is one field of all rows.']],
})
asciidoc.page(
  'blocks and tables',
  'modules/usage.adoc',
  `
= Usage
:toc: left
:sectnums:

[NOTE]
====
Cobalt keeps *nothing*.
====

[source,java,linenums]
.Main.java
----
List<String> names = List.of("a"); // <1>
if (names.size() < 3 && true) { return; }
----
<1> A list

|===
|Option |Meaning

|\`-q\`
|quiet
|===

link:https://openjdk.org/[OpenJDK], xref:start.adoc#top[Start], <<usage>>, image:icon.png[Icon,16]

.More
[%collapsible]
====
Nothing.
====
`,
)
asciidoc.edit('a typo behind a link', {
  'modules/start.adoc': [['it frist.', 'it first.']],
})
asciidoc.edit('a step more', {
  'modules/install.adoc': [
    [
      '. Unpack',
      `
. Unpack
. Run \`cobalt\`
.. with \`-q\` for less`,
    ],
  ],
})

export const harmlessOtherMarkup = [...hugo.cases, ...jekyll.cases, ...sphinx.cases, ...asciidoc.cases]
