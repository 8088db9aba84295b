/** A part of a code and what it is; no kind for what has the usual colour. */
export interface CodePart {
  kind?: 'comment' | 'string' | 'number' | 'keyword' | 'name' | 'added' | 'removed'
  text: string
}

const longest = 20_000

const words =
  'abstract and as assert async await boolean break case catch class const continue def default defer del delete do elif else end enum export extends False false final finally float fn for from func function go if impl implements import in instanceof int interface is lambda let loop match mod mut namespace new nil None not null or package pass private protected pub public raise require return self static struct super switch this throw throws trait True true try type typeof undefined union unless until use using val var void where while with yield'
const queryWords =
  'add all alter and as asc between by case column commit constraint create cross delete desc distinct drop else end exists foreign from full group having in index inner insert into is join key left like limit not null offset on or order outer primary references returning right select set table then union unique update using values view when where with'

const strings = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/
const quoted = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?/
const numbers = /\b(?:0x[\da-f]+|\d[\d_]*(?:\.\d+)?)\b/
const slashes = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/
const hashes = /(?<![^\s])#[^\n]*/

interface Language {
  comment: RegExp
  string: RegExp
  keywords: Set<string>
  /** What stands before a colon or an equals sign is a name. */
  name: RegExp
}

const never = /(?!)/
// A name begins where no part of one stands before it: without this, a row of dots would be tried from each of them.
const key = /(?<![\w.-])[\w.-]+(?=\s{0,4}[:=])|(?<=\s)--?[a-z][\w-]*/
const callName = /(?<![\w$])[A-Za-z_$][\w$]*(?=\()/
const common = new Set(words.split(' '))

const families: [names: string, language: Language][] = [
  [
    'js jsx ts tsx mjs cjs javascript typescript java kotlin swift c h cpp cs csharp go golang rs rust php dart scala css scss',
    { comment: slashes, string: quoted, keywords: common, name: callName },
  ],
  [
    'json jsonc json5',
    { comment: slashes, string: strings, keywords: new Set(['true', 'false', 'null']), name: never },
  ],
  [
    'py python rb ruby r perl elixir ex',
    { comment: hashes, string: quoted, keywords: common, name: callName },
  ],
  [
    'sh bash zsh shell console terminal dockerfile docker make makefile powershell ps1',
    {
      comment: hashes,
      string: quoted,
      keywords: new Set(
        'case do done elif else esac export fi for from function if in local return run then while'.split(
          ' ',
        ),
      ),
      name: key,
    },
  ],
  [
    'yaml yml toml ini conf env properties nginx hcl tf',
    {
      comment: hashes,
      string: strings,
      keywords: new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off']),
      name: key,
    },
  ],
  [
    'sql',
    {
      comment: /--[^\n]*|\/\*[^]*?(?:\*\/|$)/,
      string: strings,
      keywords: new Set(queryWords.split(' ').flatMap((word) => [word, word.toUpperCase()])),
      name: callName,
    },
  ],
  [
    'html xml svg vue svelte mdx astro',
    {
      comment: /<!--[^]*?(?:-->|$)/,
      string: strings,
      keywords: common,
      name: /(?<=<\/?)[A-Za-z][\w.:-]*|(?<![\w:@-])[\w:@-]+(?==)/,
    },
  ],
]
const byName = new Map(
  families.flatMap(([names, language]) => names.split(' ').map((name) => [name, language] as const)),
)

/** Splits a code into parts of one colour each. A language that is not known stays in one colour. */
export function colourCode(text: string, language: string): CodePart[] {
  const name = language.toLowerCase().split(/[\s{:,]/, 1)[0] ?? ''
  if (text.length > longest) return [{ text }]
  if (name === 'diff' || name === 'patch') return text.split(/(?<=\n)/).map(lineOfDiff)
  const known = byName.get(name)
  if (!known) return [{ text }]
  const { comment, string, keywords } = known
  const pattern = new RegExp(
    `(?<comment>${comment.source})|(?<string>${string.source})|(?<name>${known.name.source})|(?<number>${numbers.source})|(?<word>[A-Za-z_$][\\w$]*)`,
    'gi',
  )
  const parts: CodePart[] = []
  let end = 0
  for (const { index, 0: found, groups = {} } of text.matchAll(pattern)) {
    const kind = keywords.has(found)
      ? 'keyword'
      : (['comment', 'string', 'name', 'number'] as const).find((one) => groups[one] !== undefined)
    if (kind === undefined) continue
    if (index > end) parts.push({ text: text.slice(end, index) })
    parts.push({ kind, text: found })
    end = index + found.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}

function lineOfDiff(text: string): CodePart {
  if (text.startsWith('+')) return { kind: 'added', text }
  return text.startsWith('-') ? { kind: 'removed', text } : { text }
}
