import type { Tree } from '../agent/open-tree.ts'

/** One way to bring something in that a page must not: a page written by the attacker, or calls of tools. */
export interface PolicyAttack {
  name: string
  site: string
  path?: string
  content: string
  calls?: [tool: string, input: Record<string, unknown>][]
  /** Files that the base has besides. */
  base?: Tree
}

/** Pages that nothing may be published of. */
export const hostilePages: PolicyAttack[] = []
const add = (site: string, name: string, content: string, more: Partial<PolicyAttack> = {}): void => {
  hostilePages.push({ site, name: `${site}: ${name}`, content, ...more })
}
const fields = (some: string): string => `---\ntitle: T\n${some}\n---\n\nText.\n`
const known = 'https://images.acme.com'

// Addresses
add('plain', 'tab in scheme img', '<img src="ht\ttps://evil.net/p.png">')
add('plain', 'newline in scheme img', '<img src="ht\ntps://evil.net/p.png">')
add('plain', 'Tab entity in scheme img', '<img src="ht&Tab;tps://evil.net/p.png">')
add('plain', 'control char before img', '<img src="\u0001https://evil.net/p.png">')
add('plain', 'http:evil img', '<img src="http:evil.net/p.png">')
add('plain', 'https:evil img', '<img src="https:evil.net/p.png">')
add('plain', 'https:/evil img', '<img src="https:/evil.net/p.png">')
add('plain', 'https backslash', '![x](https:\\\\\\\\evil.net/p.png)')
add('mint', 'double entity userinfo', `<img src="${known}&amp;sol;@evil.net/p.png" />`)
add('mint', 'js entity userinfo', `<img src={"${known}&sol;@evil.net/p.png"} />`)
add('mint', 'fm entity userinfo', fields(`image: "${known}&sol;@evil.net/p.png"`))
add('mint', 'comma userinfo src', `<img src="${known},@evil.net/p.png" />`)
add('mint', 'tab userinfo src', `<img src="${known}\t@evil.net/p.png" />`)
add('mint', 'userinfo md backslash', `![x](${known}\\@evil.net/p.png)`)
add('plain', 'file host', '![x](file://evil.net/share/p.png)')
add('plain', 'md img 60 spaces', `![x](${' '.repeat(60)}https://evil.net/p.png)`)
add('plain', 'md js 60 spaces', `[x](${' '.repeat(60)}javascript:EVIL())`)
add('plain', 'definition escaped label', '[a\\]b]\n\n[a\\]b]: javascript:EVIL()')
add('plain', 'definition label over lines', '[a\nb]\n\n[a\nb]: javascript:EVIL()')
add('plain', 'definition in ordered list', '1. [a]: javascript:EVIL()\n\n[a]')
add('plain', 'definition in quote over lines', '> [a]:\n> javascript:EVIL()\n\n[a]')
add('plain', 'definition long label', `[${'a '.repeat(250)}b]: javascript:EVIL()\n\n[${'a '.repeat(250)}b]`)
add('plain', 'long autolink', `<javascript:EVIL()//${'a'.repeat(2100)}>`)
add('plain', 'image by long ref', `![${'a '.repeat(200)}b]\n\n[${'a '.repeat(200)}b]: https://evil.net/p.png`)
// Style
add('plain', 'css escape url', '<p style="background:u\\72l(https://evil.net/p.png)">x</p>')
add('plain', 'css escape scheme', '<p style="background:url(\\68ttps://evil.net/p.png)">x</p>')
add(
  'plain',
  'image-set second',
  "<p style=\"background:image-set('/a.png' 1x, 'https://evil.net/p.png' 2x)\">x</p>",
)
add('mint', 'jsx style', '<div style={{ backgroundImage: "url(https://evil.net/p.png)" }}>x</div>')
add('mint', 'jsx style background', '<div style={{ background: "url(//evil.net/p.png)" }}>x</div>')
add('mint', 'tailwind', '<div className="bg-[url(https://evil.net/p.png)]">x</div>')
add('mint', 'jsx style content', '<div style={{ listStyle: "url(//evil.net/p.png)" }}>x</div>')
add('plain', 'long style', `<style>/*${'x'.repeat(21000)}*/@import url(//evil.net/x.css);</style>`)
add('plain', 'css var url', '<p style="--x:url(https://evil.net/p.png);background:var(--x)">x</p>')
// Tags
add('plain', 'handler after long attr', `<img alt="${'x'.repeat(21000)}" src=x onerror=EVIL()>`)
add('saurus', 'httpEquiv', '<Head><meta httpEquiv="refresh" content="0;url=https://evil.net"/></Head>')
add('mint', 'xlinkHref', '<svg><image xlinkHref="https://evil.net/p.svg" /></svg>')
add('mint', 'use xlinkHref', '<svg><use xlinkHref="https://evil.net/p.svg#x" /></svg>')
add(
  'plain',
  'animate values list',
  '<svg><a><animate attributeName="href" values="x;javascript:EVIL()" /><text>x</text></a></svg>',
)
add('plain', 'set to', '<svg><a><set attributeName="xlink:href" to="&#106;avascript:EVIL()"/></a></svg>')
add('plain', 'animate to handler', '<svg><set attributeName="onclick" to="EVIL()"/></svg>')
const yt = {
  'plain/yt.md': '<iframe src="https://www.youtube.com/embed/x"></iframe>\n',
  'mint/yt.mdx': '---\ntitle: Y\n---\n\n<iframe src="https://www.youtube.com/embed/x"></iframe>\n',
}
add(
  'plain',
  'object two addresses',
  '<object src="https://www.youtube.com/x" data="https://evil.net/x"></object>',
  { base: yt },
)
add('mint', 'iframe two src', '<iframe src="https://www.youtube.com/embed/x" src="https://evil.net/x" />', {
  base: yt,
})
add('mint', 'link two href', '<link rel="stylesheet" href="/a.css" href="https://evil.net/x.css" />')
add('mint', 'form two action', '<form action="/a" action="https://evil.net/x" />')
add('plain', 'htmx', '<div hx-get="https://evil.net/x" hx-trigger="load">x</div>')
add('plain', 'alpine', '<div x-data x-init="EVIL()">x</div>')
add('plain', 'alpine click', '<div x-on:click="EVIL()">x</div>')
add('plain', 'mathml href', '<math><mtext href="javascript:EVIL()">x</mtext></math>')
add('plain', 'noscript in attr', '<noscript><p title="</noscript><img src=x onerror=EVIL()>"></noscript>')
add('plain', 'script upper in comment', '<!--> <ScRipt>EVIL()</sCript> -->')
add('plain', 'cdata', '<![CDATA[><script>EVIL()</script>]]>')
add('plain', 'html block inline code', '<div>\n`<img src=x onerror=EVIL()>`\n</div>')
add('plain', 'pre block inline code', '<pre>\n`<img src=x onerror=EVIL()>`\n</pre>')
add('plain', 'details inline code', '<details>\n<summary>`<img src=x onerror=EVIL()>`</summary>\n</details>')
add('python', 'python html block blank', '<div>\n\n`<img src=x onerror=EVIL()>`\n\n</div>')
add('plain', 'cr fence', 'RAW# x\n\n```\nfoo\r```\r<script>EVIL()</script>\n```\n')
add('plain', 'cr in inline', 'RAW# x\n\n`a\r\r<img src=x onerror=EVIL()>\r\r`\n')
add('mint', 'cr expr', 'RAW---\ntitle: x\n---\n\n`a\r\r{fetch("x")}\r\rb`\n')
add('plain', 'math dollar span', 'a $`$ <img src=x onerror=EVIL()> $`$')
add('mint', 'math inline', 'a $`$ {fetch("x")} $`$')
add('mint', 'math block', '$$\n```\n$$\n{fetch("x")}\n\n$$\n```\n$$')
add('mint', 'comment with fence', '{/*\n```\n*/}\n\n{fetch("x")}\n\n{/*\n```\n*/}')
add('mint', 'attr with fence', '<Card x="\n```\n" />\n\n{fetch("x")}\n\n<Card x="\n```\n" />')
add('mint', 'attr with code span', '<Card x="\na ` b" />{fetch("x")}<Card x="` b" />')
add(
  'mint',
  'esm with fence',
  'export const a = "x" /*\n```\n*/\n\n{fetch("x")}\n\nexport const b = "x" /*\n```\n*/',
)
add(
  'mint',
  'expr w template fence',
  '{`\n```\n`.length}'.replace('.length', '') + '\n\n{fetch("x")}\n\n{"`"}',
)
add('mint', 'jsx comment in tag', '<Card /* > */ onClick={() => EVIL()}>x</Card>')
add('mint', 'jsx comment handler string', '<Card {/* > */} title={EVIL()}>x</Card>')
// MDX
add(
  'mint',
  'spread dangerouslySet escaped',
  '<div {...{dangerouslySetInnerHTML: {__html: "\\x3cimg src=x onerror=EVIL()\\x3e"}}} />',
)
add(
  'mint',
  'spread exported dangerously',
  'export const p = {dangerouslySetInnerHTML: {__html: "\\x3cimg src=x onerror=EVIL()\\x3e"}}\n\n<div {...p} />',
)
add('star', 'spread handler string', '<img {...{onerror: "EVIL()"}} src="x" />', {
  path: 'star/src/content/docs/evil.mdx',
})
add('star', 'spread set:html', '<img {...{"set:html": "\\x3cscript>EVIL()"}} />', {
  path: 'star/src/content/docs/evil.mdx',
})
add('mint', 'exported element name', 'export const S = "script"\n\n<S>{"EVIL()"}</S>')
add('mint', 'member element name', 'export const o = { s: "script" }\n\n<o.s>{"EVIL()"}</o.s>')
add(
  'saurus',
  'toc export',
  "export const toc = [{ value: '\\x3cimg src=x onerror=EVIL()\\x3e', id: 'a', level: 2 }]",
)
add('mint', 'json url', 'import d from "./evil.json"\n\n<img src={d.u} />', {
  calls: [
    ['write_file', { path: 'mint/evil.json', content: '{"u": "https://evil.net/p.png"}' }],
    [
      'write_file',
      {
        path: 'mint/evil.mdx',
        content: '---\ntitle: x\n---\n\nimport d from "/evil.json"\n\n<img src={d.u} />\n',
      },
    ],
  ],
})
add('mint', 'json spread', '', {
  calls: [
    ['write_file', { path: 'mint/evil.json', content: '{"src": "https:\\u002f\\u002fevil.net/p.png"}' }],
    [
      'write_file',
      {
        path: 'mint/evil.mdx',
        content: '---\ntitle: x\n---\n\nimport d from "/evil.json"\n\n<img {...d} />\n',
      },
    ],
  ],
})
add('mint', 'json spread handler', '', {
  calls: [
    [
      'write_file',
      {
        path: 'mint/evil.json',
        content: '{"dangerouslySetInnerHTML": {"__html": "\\u{3c}b"}, "onerror": "EVIL()"}'.replace(
          '\\u{3c}',
          '&lt;',
        ),
      },
    ],
    [
      'write_file',
      {
        path: 'mint/evil.mdx',
        content: '---\ntitle: x\n---\n\nimport d from "/evil.json"\n\n<img {...d} />\n',
      },
    ],
  ],
})
add('mint', 'json member tag', '', {
  calls: [
    ['write_file', { path: 'mint/evil.json', content: '{"s": "script"}' }],
    [
      'write_file',
      {
        path: 'mint/evil.mdx',
        content: '---\ntitle: x\n---\n\nimport d from "/evil.json"\n\n<d.s>EVIL()</d.s>\n',
      },
    ],
  ],
})
add('mint', 'snippet prop', '', {
  calls: [
    ['write_file', { path: 'mint/snippets/evil.mdx', content: '<img src={foo} />\n' }],
    [
      'write_file',
      {
        path: 'mint/evil.mdx',
        content:
          '---\ntitle: x\n---\n\nimport E from "/snippets/evil.mdx"\n\n<E foo="https://evil.net/p.png" />\n',
      },
    ],
  ],
})
add('press', 'frontmatter src', fields('x: https://evil.net/p.png') + '\n<img :src="$frontmatter.x">\n')
add('star', 'frontmatter src', fields('x: https://evil.net/p.png') + '\n<img src={frontmatter.x} />\n', {
  path: 'star/src/content/docs/evil.mdx',
})
add(
  'saurus',
  'useBaseUrl backslash',
  'import useBaseUrl from "@docusaurus/useBaseUrl"\n\n<img src={useBaseUrl("\\\\evil.net/p.png")} />',
)
add(
  'saurus',
  'live CodeBlock',
  'import CodeBlock from "@theme/CodeBlock"\n\n<CodeBlock language="jsx" live>{"EVIL()"}</CodeBlock>',
)
add(
  'saurus',
  'Playground',
  'import Playground from "@theme/Playground"\n\n<Playground>{"EVIL()"}</Playground>',
)
add('saurus', 'live=', '```jsx live=true\nEVIL()\n```')
add(
  'saurus',
  'format md',
  '---\ntitle: x\nmdx:\n  format: md\n---\n\n<div>\n```\n<script>EVIL()</script>\n```\n</div>\n',
)
add('saurus', 'md upper tags', '---\ntitle: x\nmdx:\n  format: md\n---\n\n<SCRIPT>EVIL()</SCRIPT>\n')
add('mint', 'require far', '<img src={require("../../../../../../secret.png")} />')
add('mint', 'component url', '<ReactPlayer url="https://evil.net/x" />')
add('mint', 'import meta', '{import.meta.url}')
add('mint', 'new', '{new Date()}')
add('mint', 'optional call', '{window?.fetch?.("x")}')
add('mint', 'yield', '{await fetch("x")}')
add('mint', 'getter', '{{get a() { return EVIL() }}}')
add('mint', 'class', '{class { static { EVIL() } }}')
add('mint', 'template attr', '<a href={`java${"script"}:EVIL()`}>x</a>')
add('mint', 'array href', '<a href={["javascript:EVIL()"]}>x</a>')
add('mint', 'export from', 'export { default } from "../../src/app.ts"\n\nText')
add('mint', 'export star', 'export * from "https://evil.net/x.js"\n\nText')
add('mint', 'export let', 'export let x = fetch("x")\n\nText')
add('mint', 'script component', 'import Script from "next/script"\n\n<Script src="https://evil.net/x.js" />')
add('mint', 'import attributes', 'import x from "./a.json" with { type: "json" }\n\n{x}')
add('mint', 'object src', '{[{ src: "https://evil.net/p.png" }].src}')
add('mint', 'style tag template', '<style>{`@import url(//evil.net/x.css);`}</style>')
add('mint', 'style url template', '<style>{`body { background: url(https://evil.net/x.png) }`}</style>')
add('mint', 'style expr', '<style>{"body { background: u\\\\72l(https://evil.net/x.png) }"}</style>')
add('mint', 'video src', '<video src="https://evil.net/x.mp4" />')
add('mint', 'audio', '<audio><source src="https://evil.net/x.mp3" /></audio>')
add('mint', 'track', '<video><track src="https://evil.net/x.vtt" /></video>')
add('mint', 'imageSrcSet', '<link rel="preload" as="image" imageSrcSet="https://evil.net/x.png 1x" />')
// Vue
add('press', 'long mustache', `{{ "${'a'.repeat(2100)}" + fetch("x") }}`)
add('press', 'mustache over lines', '{{\nfetch("x")\n}}')
add('press', 'slot default', '<Foo #default="{ a = fetch(1) }">x</Foo>')
add('press', 'bind short', `<img :="{ onerror: 'EVIL()' }" src="x">`)
add(
  'press',
  'bind dynamic',
  `---\na: innerHTML\nb: "\\x3cimg src=x onerror=EVIL()>"\n---\n\n<p :[$frontmatter.a]="$frontmatter.b">x</p>\n`,
)
add('press', 'component is', `<component :is="'script'">EVIL()</component>`)
add('press', 'component is static', `<component is="script">EVIL()</component>`)
add('press', 'inner-html', '<p :inner-html.prop="$frontmatter.b">x</p>')
add('press', 'style bind', `<p :style="'background:url(https://evil.net/p.png)'">x</p>`)
add('press', 'style bind object', `<p :style="{ background: 'url(https://evil.net/p.png)' }">x</p>`)
add('press', 'include newline', '<!--\n@include: ../../.env\n-->')
add('press', 'template v-for', '<p v-for="x in [fetch(1)]">x</p>')
add('press', 'import in md', '<script setup lang="ts">\nfetch("x")\n</script>')
// Front matter
add('hugo', 'toml image', '+++\ntitle = "x"\nimage = "https://evil.net/p.png"\n+++\n\nText.\n')
add('hugo', 'json fm image', '{\n"title": "x",\n"image": "https://evil.net/p.png"\n}\n\nText.\n')
add('hugo', 'toml script text', '+++\ntitle = "\\u003cscript>EVIL()\\u003c/script>"\n+++\n\nText.\n')
add('hugo', 'figure foreign', '{{< figure src="https://evil.net/p.png" >}}')
add('hugo', 'figure over lines', '{{< figure\n src="https://evil.net/p.png" >}}')
add(
  'press',
  'aliases',
  `---\na: &a x\nb: [${'*a, '.repeat(25)}*a]\nhead:\n  - - script\n    - src: https://evil.net/x.js\n---\n\nText.\n`,
)
add(
  'star',
  'fake end',
  '---\ntitle: x\n---x: 1\nhead:\n  - tag: script\n    attrs: { src: https://evil.net/x.js }\n---\n\nText.\n',
)
add(
  'star',
  'leading blank line',
  'RAW\n---\ntitle: x\nhead:\n  - tag: script\n    attrs: { src: https://evil.net/x.js }\n---\n\nText.\n',
)
add('press', 'escaped html', fields('hero:\n  text: "\\x3cimg src=x onerror=EVIL()\\x3e"'))
add('press', 'escaped html U', fields('hero:\n  text: "\\U0000003Cimg src=x onerror=EVIL()\\u003E"'))
add('press', 'js link', fields('hero:\n  actions:\n    - text: x\n      link: javascript:EVIL()'))
add('press', 'js link anchored', fields('x: &x javascript:EVIL()\nprev:\n  link: *x'))
add('star', 'hero html', fields('hero:\n  image:\n    html: "\\u003cimg src=x onerror=EVIL()>"'))
add('star', 'banner', fields('banner:\n  content: "\\u003cscript>EVIL()\\u003c/script>"'))
add('star', 'editUrl js', fields('editUrl: "javascript:EVIL()"'))
add('mint', 'md image in description', fields('description: "![x](https://evil.net/p.png)"'))
add('mint', 'og:image', fields('"og:image": https://evil.net/p.png'))
add('mint', 'twitter image', fields('"twitter:image": https://evil.net/p.png'))
add('saurus', 'author image', fields('author_image_url: https://evil.net/p.png'))
add('saurus', 'authors image', fields('authors:\n  - name: x\n    image_url: https://evil.net/p.png'))
add('plain', 'redirect_to', fields('redirect_to: https://evil.net/'))
add('plain', 'redirect_to list', fields('redirect_to:\n  - https://evil.net/'))
add('plain', 'permalink up', fields('permalink: ../../../evil'))
add('plain', 'engine', '--- js\n{ title: fetch("x") }\n---\n\nText.\n')
add('plain', 'engine override', fields('templateEngineOverride: njk'))
add('hugo', 'markup', fields('markup: pandoc'))
add('plain', 'invalid yaml script', '---\ntitle: x\n\tbad: [\nimage: https://evil.net/p.png\n---\n\nText.\n')
add('press', 'merge key', fields('x: &x\n  head: [[script, {src: "https://evil.net/x.js"}]]\n<<: *x'))
add('plain', 'cr front matter', 'RAW---\rtitle: x\rimage: https://evil.net/p.png\r---\r\rText.\r')
