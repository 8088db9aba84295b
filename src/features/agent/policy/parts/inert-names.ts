import { defaultSchema } from 'rehype-sanitize'

const words = (text: string): Set<string> => new Set(text.split(/\s+/).filter(Boolean))
export const inertElements = new Set([
  ...(defaultSchema.tagNames ?? []),
  ...words(
    'figure figcaption video audio track mark small u abbr center font nav article aside header footer main dfn cite time wbr colgroup col caption address big bdi bdo data meter progress hgroup nobr label',
  ),
])
export const inertAttributes = new Set([
  ...(defaultSchema.attributes?.['*'] ?? []).map((name) => String(name).toLowerCase()),
  ...words(
    'href src srcset sizes cite longdesc class classname style role type disabled target rel loading decoding controls autoplay muted loop playsinline poster preload theme markdown open reversed start crossorigin fetchpriority download datetime referrerpolicy bgcolor background face nowrap key kind srclang default allowfullscreen frameborder allow scrolling v-pre v-cloak v-once inert hidden translate slot nozoom',
  ),
])
export const languages = new Set(
  `sh bash shell zsh fish console terminal shellsession shell-session session powershell ps1 pwsh cmd bat batch cli command js javascript mjs cjs jsx vue-html
  ts typescript mts cts tsx json jsonc json5 jsonl ndjson yaml yml toml xml html xhtml svg css scss sass less stylus postcss vue svelte astro md mdx
  markdown rst restructuredtext asciidoc adoc tex latex-source py python python3 py3 pycon pytb ipython ipython3 ipython-session rb ruby erb php blade go golang gomod go-html-template go-text-template gotmpl rust rs java kotlin kt kts groovy gradle scala swift
  objc objectivec objective-c c h cpp c++ cxx hpp cs csharp c# fsharp fs vb vbnet dart elixir ex exs iex erlang haskell hs ocaml reason clojure clj lisp scheme
  elm julia jl matlab octave perl pl lua nim zig crystal d fortran pascal ada cobol asm nasm wasm wat llvm sql mysql pgsql postgres postgresql plsql sqlite
  tsql cypher sparql graphql gql http https rest curl diff patch git git-commit gitignore ignore text txt plain plaintext none raw output ansi log logs csv tsv ini conf config cfg properties
  env dotenv editorconfig docker dockerfile docker-compose compose makefile make cmake nginx apache apacheconf caddy caddyfile systemd hcl tf terraform bicep nix bazel starlark proto protobuf prisma
  thrift avro solidity sol vyper move cairo glsl hlsl wgsl cuda regex regexp vim viml applescript awk sed jq http-request ejs hbs handlebars
  liquid jinja jinja2 j2 django njk nunjucks twig pug mustache razor haml slim templ xsl xslt cel rego kusto kql promql logql spl abap apex puppet ansible
  pkl cue dhall qml gdscript processing arduino racket rkt prolog r-source tree directory filetree title note prompt postman url uri email eml key pem asn1 bnf ebnf dns zone ssh ssh-config hosts robots.txt wxml styl code example node nodejs deno bun npm yarn pnpm`
    .split(/\s+/)
    .filter(Boolean),
)
/** What these hold is drawn, and may lead and load as pages do. */
export const drawn =
  /^(?:mermaid|math|katex|latex|tex|plantuml|puml|uml|d2|dot|graphviz|vega|vega-lite|markmap|echarts|plotly|ditaa|svgbob|wavedrom|nomnoml|flow|sequence|asciimath)$/i
/** Words behind the language that only change how code is shown. */
export const plainWord =
  /^(?:title|filename|file|name|show-?line-?numbers|line-?numbers|linenos|linenums|hl_lines|wrap|no-?wrap|expandable|lines?|copy|no-?copy|icon|highlight|focus|theme|frame|collapse|ins|del|mark|add|remove|diff|twoslash|no-?twoslash|npm2yarn|start|start-?line|linenostart|caption|label|group|group-name|tab|path|lang|language|meta|noLineNumbers|hideCopy|example|output|ts2js|open|dark|light|class|id|width|height|select|user|message|check|mode|playground-hide|dedent|indent|ignore|no_run|should_panic|compile_fail|edition\d+|text|console|editor|terminal|none|prompt|fold|source|download|sync|hidelines|no-[\w-]+)$/i

/** Fields and attributes whose address a browser fetches by itself. */
export const fetched =
  /^(?:data|background|light|dark|bg|photo|picture|banner)$|(?:src|srcset|image|images|img|icon|logo|poster|cover|thumbnail|avatar|screenshot|favicon)(?:[_-]?ur[il]s?)?$/i
/** Attributes of components whose address readers follow, or only see. */
export const followed =
  /^(?:href|to|link|default|placeholder|example|title|label|text|description|name|value|caption|content|cite|alt|summary|cta|source|path|query|body|header|id|children|github|website|repo|canonical)$|(?:href|link|title|text|label)$/i
/** Attributes of components that hold HTML or code, or choose what runs. */
export const runs =
  /^(?:dangerouslysetinnerhtml|innerhtml|outerhtml|srcdoc|html|is|as|live|ref|ping|formaction|on[a-z]{3}.*)$/i
const inertStyleCall =
  /^(?:rgba?|hsla?|calc|var|min|max|clamp|repeat|minmax|(?:translate|scale|rotate|skew)(?:3d|[XYZ])?|(?:repeating-)?(?:linear|radial|conic)-gradient|cubic-bezier|blur|brightness|drop-shadow)$/i
export const styleName = /^(?:style|css|.*style)$/i

/** Whether a browser follows, loads or draws what a field or attribute says. */
export function isSensitive(name: string): boolean {
  return fetched.test(name) || styleName.test(name) || /^(?:href|to|link)$/i.test(name)
}

/** A style that loads nothing. */
export function isPlainStyle(style: string): boolean {
  if (/[\\@<]|\/\/|:\s*[a-z]+:/i.test(style) || style.includes('/*')) return false
  return [...style.matchAll(/([\w-]{0,40})[ \t]{0,5}\(/g)].every(([, name = '']) => inertStyleCall.test(name))
}

/** Names of two words, as components have them, that HTML has for no element. */
export function isSiteName(name: string): boolean {
  return (
    /^(?:[A-Z][a-z\d]{2,20}){2,5}$/.test(name) &&
    !/script|frame|object|animate|area|style|template|embed|applet|form$|^set|^no/i.test(name)
  )
}

/** Attributes that only name or describe a control. */
export const labelling = /^(?:class|classname|id|name|title|alt|width|height|aria-[a-z]+)$/i
