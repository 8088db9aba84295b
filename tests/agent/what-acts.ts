import type { Nodes } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

/** What hosts read in the text that they show, outside of code: GitHub, GitLab, Gitea and Bitbucket together. */
const shown: [name: string, pattern: RegExp][] = [
  ['mention', /(?<![A-Za-z0-9])@[A-Za-z0-9_{"-]/],
  ['reference', /[#!&]\d|\bGH-\d|\[(?:issue|work_item|merge_request|epic|vulnerability):/i],
  ['address', /:\/\/|\bwww\.|\w@\w|\/(?:issues|pulls?|merge_requests)\/\d/i],
]

/** What programs read in the source of a description or a comment, and in a commit message, code or not. */
const read: [name: string, pattern: RegExp][] = [
  [
    'closing word',
    /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)\b:?\s+(?:issues?\s+)?(?:[\w./-]*[#!]\d|https?:\/\/|GH-\d|[A-Z][A-Z\d_]+-\d)/i,
  ],
  ['command', /^\s*\/[a-z]/im],
  ['order', /^[\s>*-]*(?:(?:bors|homu) |atlantis apply|recheck$)/im],
  ['plea', /\b(?:(?:re)?test\W+this\W+please|ok\W+to\W+test|add\W+to\W+whitelist)/i],
  ['switch', /\[\s*(?:\w+\s+)?(?:skip\b|no[ -]?ci|ci[ -]skip)[^[\]\n]{0,30}\]|\*\*\*NO_CI\*\*\*/i],
  ['smart commit', /^.*\b[A-Z][A-Z\d_]+-\d.*(?<!\S)#[A-Za-z]/m],
  ['trailer', /^[\s>*-]*(?:[A-Za-z-]+-(?:by|as)|skip-checks?|BREAKING[ -]CHANGE)\s*:/im],
  ['mark', /^(?:fixup|squash|amend)!|^[a-z]+(?:\([^)]*\))?!:|BEGIN_COMMIT_OVERRIDE|^(?:---|\+\+\+|;;;|>>>)/m],
]
const signs = /\u{200B}|\u{200C}|\u{200D}|\u{2060}|\u{FEFF}/u

/** Names what would act in Markdown on a git host, or is not of a plain kind. */
export function whatActs(markdown: string): string[] {
  const found: string[] = []
  const walk = (node: Nodes): void => {
    if (node.type === 'text') found.push(...match(node.value, shown))
    if (node.type === 'html' && !/^&#\d+;$/.test(node.value)) found.push('html')
    if (/^(?:image|definition|footnote)/i.test(node.type)) found.push(node.type)
    if (node.type === 'code' && /mermaid|math|suggestion|geojson/.test(node.lang ?? '')) found.push('drawing')
    if ('children' in node) for (const child of node.children) walk(child)
  }
  walk(parse(ownPartsLeftOut(markdown)))
  return [
    ...found,
    ...match(ownPartsLeftOut(markdown), read),
    ...(signs.test(markdown) ? ['unseen sign'] : []),
  ]
}

/** Names what would act in a commit message or a title: plain text, in which only mentions heed backticks. */
export function whatActsInPlainText(text: string): string[] {
  const outside = text.replaceAll(/`[^`\n]*`/g, '``')
  const mention = shown.filter(([name]) => name === 'mention')
  const address = /:\/\/\S*\/(?:issues|pulls?|merge_requests)\/\d/
  const reference: [string, RegExp][] = [
    ['reference', /[#!&]\d|\bGH-\d/i],
    ['address', address],
  ]
  return [
    ...match(outside, mention),
    ...match(text, reference),
    ...match(text, read),
    ...(signs.test(text) ? ['unseen sign'] : []),
  ]
}

/** What a reader copies from Markdown that a host shows, with one space for each gap. */
export function copied(markdown: string): string {
  const words: string[] = []
  const walk = (node: Nodes): void => {
    if ('value' in node) words.push(node.value)
    else if (node.type === 'break') words.push('\n')
    else if ('children' in node) {
      for (const child of node.children) walk(child)
      if (!['emphasis', 'strong', 'delete', 'link'].includes(node.type)) words.push('\n')
    }
    if (node.type === 'code') words.push('\n')
  }
  walk(parse(markdown))
  return words.join('').replaceAll(/\s+/g, ' ').trim()
}

function parse(markdown: string): Nodes {
  return unified().use(remarkParse).use(remarkGfm).parse(markdown)
}

// The foot has a rule and an address, and other pull requests are linked.
function ownPartsLeftOut(markdown: string): string {
  return markdown
    .replace(/\n---\nCreated by Docwright[^]*$/, '')
    .replaceAll(/^- (?:\[#\d+ [^\n]*\]\([^\s)]*\)|#\d+ )/gm, '- ')
}

function match(text: string, patterns: readonly [string, RegExp][]): string[] {
  return patterns.flatMap(([name, pattern]) =>
    pattern.test(text) ? [`${name}: ${pattern.exec(text)?.[0]}`] : [],
  )
}
