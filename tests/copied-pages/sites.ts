/** Small sites as real ones are written: each page uses what its generator and its repository have. */
export const sites: Readonly<Record<string, { root: string; tree: Readonly<Record<string, string>> }>> = {
  detecting: {
    root: 'docs',
    tree: {
      'docusaurus.config.js':
        'export default {\n  title: "Crane",\n  // Plain pages stay plain\n  markdown: { format: "detect" },\n  presets: [["classic", { docs: {} }]],\n}\n',
      'docs/index.md':
        '# Crane\n\nReplace <repo_name>, `<alias>` and the others:\n\n\tcrane update <repo_name> ...\n',
    },
  },
  hugo: {
    root: '',
    tree: {
      'hugo.toml': 'title = "Harbor"\nbaseURL = "https://harbor.example.com/"\n',
      'layouts/shortcodes/release.html': '<b>{{ .Get 0 }}</b>\n',
      'content/_index.md':
        '---\ntitle: Harbor\n---\n\nWelcome to {{% param "product" %}} {{< release "2.1" >}}.\n',
      'content/docs/install.md':
        '---\ntitle: Install\nweight: 2\n---\n\nSee [the guide]({{< relref "guide.md" >}}).\n\n{{< figure src="/images/dock.png" alt="The dock" caption="Ships, at rest (2024)" >}}\n\n{{< tabpane text=true persist=lang >}}\n{{< tab header="Linux:" disabled=true />}}\n{{% tab header="macOS" lang="sh" %}}\nRun it.\n{{% /tab %}}\n{{< /tabpane >}}\n',
      'content/docs/guide.md':
        '---\ntitle: Guide\n---\n\n{{< details title="Since version 0.5: more" open="true" >}}\nText.\n{{< /details >}}\n\n{{< highlight go "linenos=table,hl_lines=2" >}}\nx := 1\n{{< /highlight >}}\n\nWrite `{{</* figure */>}}` and {{%/* alert */%}} so.\n\n```sh\ncurl -fsSL https://get.harbor.dev/install.sh | sh\n```\n',
    },
  },
  myst: {
    root: '',
    tree: {
      'conf.py': 'extensions = ["myst_parser", "sphinx_design"]\nmyst_substitutions = {"version": "2.0"}\n',
      'index.md': '# Loom\n\n```{toctree}\n:maxdepth: 2\n\nusage\nreference\n```\n',
      'usage.md':
        '(usage)=\n# Usage\n\n:::{note}\n:class: dropdown\nRead {ref}`the reference <reference>` and {doc}`index` of {{ version }}.\n:::\n\n```{figure} weave.png\n:alt: A weave\n:width: 60%\nThe caption.\n```\n\n::::{tab-set}\n:::{tab-item} One\nText.\n:::\n::::\n\n```{code-block} python\n:emphasize-lines: 2\nx = 1\ny = 2\n```\n',
      'reference.md':
        '(reference)=\n# Reference\n\n```{csv-table} Values\n:header: a, b\n1, 2\n```\n\n```{custom-box} A title\n:tone: calm\nText with {custom-role}`words`.\n```\n\n$\\frac{\\partial u}{\\partial x}$ is the change.\n',
      'weave.png': 'x',
    },
  },
  sphinx: {
    root: '',
    tree: {
      'conf.py': 'extensions = []\nrst_prolog = ".. |name| replace:: Loom"\n',
      'index.rst': 'Loom\n====\n\n.. toctree::\n   :maxdepth: 2\n\n   usage\n   api\n',
      'usage.rst':
        '.. _usage:\n\nUsage\n=====\n\n.. note:: Read :ref:`the API <api>` of |name|.\n\n.. csv-table:: The values of it\n   :header: "a", "b"\n\n   "1", "2"\n\n.. code-block:: python\n   :linenos:\n\n   x = 1\n\n.. literalinclude:: sample.py\n   :lines: 1-2\n\n.. include:: parts/legal.rst\n',
      'api.rst':
        '.. _api:\n\nAPI\n===\n\n.. py:function:: weave(x)\n\n   Weave it, see :py:func:`weave` and :issue:`12`.\n\n.. versionadded:: 1.2\n',
      'sample.py': 'x = 1\n',
      'parts/legal.rst': 'All rights.\n',
    },
  },
  vitepress: {
    root: 'docs',
    tree: {
      'docs/.vitepress/config.ts': 'export default { title: "Keel" }\n',
      'docs/index.md':
        '---\nlayout: home\nhero:\n  name: Keel\n  image:\n    src: /logo.svg\n    alt: Keel\n  actions:\n    - theme: brand\n      text: Start\n      link: /guide\nfeatures:\n  - title: Fast\n    details: It is\n---\n',
      'docs/guide.md':
        '# Guide <Badge type="tip" text="beta" />\n\n::: warning Read **this** first\nText.\n:::\n\n::: details More of it {open}\nText.\n:::\n\n<Transition name="fade"><KeepAlive><ClientOnly><Chart :rows="3" title="A chart" /></ClientOnly></KeepAlive></Transition>\n\n<div v-pre>{{ raw }}</div>\n\n<<< @/parts/sample.ts{2}\n\n<!--@include: ./parts/note.md-->\n',
      'docs/parts/note.md': 'A note.\n',
      'docs/parts/sample.ts': 'const a = 1\n',
      'docs/api.md':
        "<script setup>\nimport Chart from './components/Chart.vue'\nconst rows = [1, 2]\n</script>\n\n# API\n\n<Chart :rows=\"rows\" />\n\nThe type is {{ '<T>' }}.\n",
      'docs/components/Chart.vue': '<template>chart</template>\n',
    },
  },
  nuxt: {
    root: '',
    tree: {
      'nuxt.config.ts': "export default defineNuxtConfig({ modules: ['@nuxt/content'] })\n",
      'content/index.md':
        '---\ntitle: Sail\n---\n\n::u-page-hero\n---\norientation: horizontal\nlinks:\n  - label: Start\n    to: /guide\n---\n#title\nSail\n::\n',
      'content/guide.md':
        '---\ntitle: Guide\nnavigation:\n  icon: i-lucide-book\n---\n\n::note{icon="i-lucide-info"}\nText with :kbd{value="meta"} and [a span]{.wide}.\n::\n\n::code-group\n```sh [npm]\nnpm i sail\n```\n::\n\n::card-group\n  ::card{title="One" to="/one"}\n  Text.\n  ::\n::\n',
    },
  },
  mdbook: {
    root: '',
    tree: {
      'book.toml': '[book]\ntitle = "Anchor"\nsrc = "src"\n',
      'src/SUMMARY.md': '# Summary\n\n- [Start](start.md)\n- [Code](code.md)\n',
      'src/start.md':
        '# Start {#start .wide}\n\nText <choice> of `{{#include}}`.\n\n{{#include parts/legal.md}}\n',
      'src/code.md':
        "# Code\n\n```rust,editable\n{{#include ../examples/main.rs:2:4}}\n```\n\n{{#rustdoc_include ../examples/main.rs:1}}\n\n@default '/path'\n",
      'src/parts/legal.md': 'All rights.\n',
      'examples/main.rs': 'fn main() {}\n',
    },
  },
  docusaurus: {
    root: '',
    tree: {
      'docusaurus.config.js': 'module.exports = { title: "Mast", presets: [["classic", {}]] }\n',
      'src/components/Chart.js': 'export default () => null\n',
      'docs/intro.mdx':
        '---\ntitle: Intro\nsidebar_position: 1\n---\n\nimport Tabs from \'@theme/Tabs\'\nimport TabItem from \'@theme/TabItem\'\nimport Chart from \'@site/src/components/Chart\'\nimport Source from \'!!raw-loader!@site/src/components/Chart\'\n\n<Tabs groupId="os"><TabItem value="mac" label="Apple">Text</TabItem></Tabs>\n\n<Chart rows={[1, 2]} title="A chart" />\n\n:::tip[Read this]\n\nIt returns {"<T>"}.\n\n:::\n',
      'docs/guide.md':
        '---\ntitle: Guide\ncustom_owner: team\n---\n\n```js title="src/a.js" showLineNumbers {1,3}\nconst a = 1\n```\n\n<details>\n<summary>More</summary>\n\nText.\n\n</details>\n\n[![Build](https://badges.harbor.dev/build.svg)](https://ci.harbor.dev)\n',
    },
  },
  material: {
    root: '',
    tree: {
      'mkdocs.yml':
        'site_name: Rope\ntheme:\n  name: material\nplugins:\n  - search\n  - macros\nmarkdown_extensions:\n  - admonition\n  - attr_list\n  - pymdownx.snippets:\n      base_path: [includes]\n',
      'includes/terms.md': '*[API]: Interface\n',
      'docs/index.md':
        '# Rope\n\n!!! note inline end "A title"\n\n    Text of {{ product.version }}.\n\n--8<-- "terms.md"\n\n[Start](guide.md){ .md-button .md-button--primary }\n',
      'docs/guide.md':
        '# Guide { #guide data-toc-label="More" }\n\n=== ":octicons-file-16: One"\n\n    Text.\n\n<div class="grid cards" markdown>\n\n-   :material-clock-fast:{ .lg .middle } __Set up__\n\n</div>\n\n![A rope](rope.png){ width="300" loading=lazy }\n\n{{ badge("new", color="green") }}\n',
      'docs/rope.png': 'x',
    },
  },
}
