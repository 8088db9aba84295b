import type { DocsSite } from './harmless-case.ts'

// Sites of MkDocs, Hugo, Jekyll, Sphinx and AsciiDoc that harmless changes are made to, with templates and macros of their own.

export const mkdocsSite: DocsSite = {
  root: 'handbook',
  base: {
    'handbook/mkdocs.yml': `
site_name: Ledgerly
docs_dir: docs
theme:
  name: material
  features:
    - content.code.annotate
nav:
  - Home: index.md
  - Guide:
      - guide/install.md
      - guide/import.md
  - Reference: reference/cli.md
plugins:
  - search
  - redirects:
      redirect_maps:
        install.md: guide/install.md
markdown_extensions:
  - abbr
  - admonition
  - attr_list
  - def_list
  - footnotes
  - md_in_html
  - pymdownx.critic
  - pymdownx.details
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
  - pymdownx.keys
  - pymdownx.snippets
  - pymdownx.superfences:
      custom_fences:
        - name: mermaid
          class: mermaid
          format: !!python/name:pymdownx.superfences.fence_code_format
  - pymdownx.tabbed:
      alternate_style: true
`,
    'handbook/docs/index.md': `
---
hide:
  - navigation
---

# Ledgerly

Plain text accounting for small clubs.

[Get started](guide/install.md){ .md-button .md-button--primary }
[:fontawesome-brands-github: Source](https://github.com/ledgerly/ledgerly){ .md-button }

<div class="grid cards" markdown>

-   :material-clock-fast:{ .lg .middle } __Ready in minutes__

    ---

    Install with \`pip\` and write your first entry.

    [:octicons-arrow-right-24: Install](guide/install.md)

</div>
`,
    'handbook/docs/guide/install.md': `
# Install

!!! note "Python"

    Ledgerly needs Python 3.11.

=== "pip"

    \`\`\` sh
    pip install ledgerly
    \`\`\`

=== "Docker"

    \`\`\` sh
    docker pull ledgerly/ledgerly
    \`\`\`

??? question "Why is there no installer?"

    Nobody asked for one.

--8<-- "includes/support.md"

Press ++ctrl+c++ to stop.
`,
    'handbook/docs/guide/import.md': `
# Import

The importer reads CSV of any bank.

\`\`\` yaml title="import.yaml" hl_lines="2 3" linenums="1"
bank:
  date: 0 # (1)!
  amount: 3
\`\`\`

1.  The first column is \`0\`.

![Columns](../images/columns.png){ width="400" loading=lazy }

<iframe src="https://www.youtube-nocookie.com/embed/imp0rt" title="Import"></iframe>

<script src="/javascripts/columns.js"></script>

Choose the columns with the form above.

\`\`\`python {test="skip" upgrade="skip" requires="3.10"}
import ledgerly
\`\`\`
`,
    'handbook/docs/reference/cli.md': `
# Command line

::: ledgerly.cli
    options:
      show_source: false

\`ledgerly check\`
:   Reads all entries and says what is wrong.

\`ledgerly sum\`
:   Sums the acounts up.

The HTML export is made for printers.

*[HTML]: Hyper Text Markup Language
`,
    'handbook/includes/support.md': `
Write to the mailing list when you are lost.
`,
  },
}

export const macrosSite: DocsSite = {
  root: 'manual',
  base: {
    'manual/mkdocs.yml': `
site_name: Orbitals
docs_dir: docs
nav:
  - index.md
  - quotas.md
plugins:
  - search
  - macros
extra:
  version: 4.2.0
`,
    'manual/docs/index.md': `
# Orbitals {{ version }}

{{ badge("stable") }} This is version {{ version }} of the manual.

{% include "footer.md" %}
`,
    'manual/docs/footer.md': `
Orbitals is free software.
`,
    'manual/docs/quotas.md': `
# Quotas

{% for name in quotas %}
- {{ name }}
{% endfor %}

An orbit has at most 500 satelites.

{% raw %}
Write \`{{ orbit }}\` for the name of the orbit.
{% endraw %}
`,
  },
}

export const hugoSite: DocsSite = {
  root: 'site',
  base: {
    'site/hugo.toml': `
title = "Fathom"
`,
    'site/content/_index.md': `
---
title: Fathom
---

{{< cards >}}
{{< card link="docs" title="Docs" icon="book" >}}
{{< /cards >}}
`,
    'site/content/docs/start.md': `
---
title: Start
weight: 10
---

{{< note >}}
Fathom measures deep queries.
{{< /note >}}

{{< tabs "os" >}}
{{% tab name="Linux" %}}
\`apt install fathom\`
{{% /tab %}}
{{< /tabs >}}

{{< figure src="/images/depth.png" alt="Depth" >}}

See {{< ref "depth.md" >}}. The defualt is 10.
`,
    'site/content/docs/depth.md': `
+++
title = "Depth"
weight = 20
+++

The depth of a query is the number of its joins.
`,
  },
}

export const jekyllSite: DocsSite = {
  root: 'pages',
  base: {
    'pages/_config.yml': `
title: Alder
`,
    'pages/index.md': `
---
layout: default
title: Alder
---

{% include toc.html %}

Alder is at {{ site.version }}. See [setup]({% link setup.md %}).
`,
    'pages/setup.md': `
---
layout: default
title: Setup
nav_order: 2
---

# Setup
{: .no_toc }

* [Start]({{ '/' | relative_url }})
* <a href="{{ '/index/' | relative_url }}">Home</a>

{: .note }
> Alder needs Ruby 3.

{% highlight ruby %}
gem 'alder'
{% endhighlight %}

Run the instaler.
`,
  },
}

export const sphinxSite: DocsSite = {
  root: 'sphinx',
  base: {
    'sphinx/index.rst': `
Basalt
======

.. toctree::
   :maxdepth: 2

   install
   api

Basalt keeps logs in columns.
`,
    'sphinx/install.rst': `
Install
=======

.. code-block:: sh

   pip install basalt

.. note:: Basalt needs Python 3.10.

.. literalinclude:: sample.txt
   :lines: 1-3

.. image:: images/columns.png
   :alt: Columns

Recieve logs with :func:\`basalt.listen\`.
`,
    'sphinx/sample.txt': `
a=1
b=2
c=3
`,
    'sphinx/guide.md': `
# Guide

\`\`\`{note}
A column is one field.
\`\`\`

\`\`\`{toctree}
install
\`\`\`

See {doc}\`install\` and {ref}\`columns\`.
`,
  },
}

export const asciidocSite: DocsSite = {
  root: 'modules',
  base: {
    'modules/start.adoc': `
= Start
:version: 5.1
:icons: font

NOTE: Cobalt {version} needs Java 21.

include::parts/license.adoc[]

[source,java]
----
Cobalt.start();
----

image::start.png[Start,300]

xref:install.adoc[Install] it frist.
`,
    'modules/install.adoc': `
= Install

. Download
. Unpack
`,
    'modules/parts/license.adoc': `
Cobalt is under the Apache licence.
`,
  },
}
