import { z } from 'zod'
import { isHostileYaml } from './hostile-yaml.ts'
import { parseYaml } from './yaml.ts'

/** One spelling and those that it replaces. */
export interface TermRule {
  term: string
  variants: string[]
}

const variants = z.union([z.string().transform((value) => splitList(value)), z.array(z.string())])
const named = z.object({
  term: z.string(),
  variants: variants.optional(),
  not: variants.optional(),
  avoid: variants.optional(),
  instead_of: variants.optional(),
  aliases: variants.optional(),
})

/** Of the files that may be a glossary, the likeliest first: data before pages, then the shortest path. */
export function rankGlossaries(paths: readonly string[]): string[] {
  return [...paths].sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))
}

function rank(path: string): number {
  return /\.ya?ml$/i.test(path) ? 0 : path.endsWith('.json') ? 1 : 2
}

/**
 * Terms with the spellings they replace, from YAML, JSON or Markdown; empty when it names none. `strict` takes only what
 * cannot be meant as a definition of the term: for glossaries that nobody pointed to.
 */
export function readGlossary(text: string, path: string, { strict = false } = {}): TermRule[] {
  const rules = /\.mdx?$/i.test(path) ? readMarkdown(text, strict) : readData(text, path, strict)
  return rules.flatMap((rule) => {
    const others = rule.variants
      .map((variant) => variant.trim())
      .filter((variant) => variant !== '' && variant !== rule.term)
    return rule.term === '' || others.length === 0
      ? []
      : [{ term: rule.term, variants: [...new Set(others)] }]
  })
}

function readData(text: string, path: string, strict: boolean): TermRule[] {
  if (text.length > (path.endsWith('.json') ? 200_000 : 32_000) || isDeep(text) || isHostileYaml(text))
    return []
  let value: unknown
  try {
    value = path.endsWith('.json') ? JSON.parse(text) : parseYaml(text, { lenient: true })
  } catch {
    return []
  }
  return readValue(value, 0, strict)
}

/** Brackets nested without end keep a YAML parser busy for minutes. */
function isDeep(text: string): boolean {
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    if (depth > 20) return true
  }
  return false
}

function readValue(value: unknown, depth: number, strict: boolean): TermRule[] {
  if (typeof value !== 'object' || value === null || depth > 2) return []
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const entry = named.safeParse(item)
      if (!entry.success) return readValue(item, depth + 1, strict)
      const { term, ...lists } = entry.data
      return [{ term, variants: listed(lists, strict) }]
    })
  }
  // Among other things that are said of a term, a list may be anything.
  const isPlain = !strict || Object.values(value).every((said) => Array.isArray(said) && !said.some(isLong))
  return Object.entries(value).flatMap(([term, said]) => {
    const list = variants.safeParse(isPlain ? said : undefined)
    if (list.success && !(Array.isArray(said) && said.length === 0)) return [{ term, variants: list.data }]
    const entry = named.omit({ term: true }).safeParse(said)
    const words = entry.success && !Array.isArray(said) ? listed(entry.data, strict) : []
    return words.length > 0 ? [{ term, variants: words }] : readValue(said, depth + 1, strict)
  })
}

/** Other names of a thing are no mistakes, unless somebody asks for one name only. */
function listed({ aliases, ...lists }: Record<string, string[] | undefined>, strict: boolean): string[] {
  return [...Object.values(lists), strict ? undefined : aliases].flatMap((list) => list ?? [])
}

function isLong(said: unknown): boolean {
  return typeof said === 'string' && (said.length > 40 || said.endsWith('.'))
}

/** `- **GitHub**: not Github, git hub` and table rows `| GitHub | Github, git hub |`. */
function readMarkdown(text: string, strict: boolean): TermRule[] {
  const rules: TermRule[] = []
  for (const line of text.split('\n').slice(0, 5000)) {
    const cells = /^\s*\|([^|\n]{1,200})\|([^|\n]{1,500})\|/.exec(line)
    const entry = /^\s*[-*+]\s+(?!\s)([^:\n]{1,200}?)\s*(?::|—|–|\s-\s)\s*([^\n]{1,500})$/.exec(line)
    const [, term, said] = cells ?? entry ?? []
    if (term === undefined || said === undefined || /^[\s:|-]+$/.test(said)) continue
    if (cells && /^(?:term|use|preferred|spelling)s?$/i.test(bare(term))) continue
    const list = /^(?:not|never|instead of|avoid)[:\s]+(?![:\s])(.+)$/i.exec(said.trim())?.[1]
    // A definition in words is no list of spellings.
    const spellings = splitList(list ?? said)
    if (list === undefined && (strict || spellings.some(isLong))) continue
    const sure = spellings.filter((item) => isQuoted(said, item) || lettersOf(item) === lettersOf(term))
    rules.push({ term: bare(term), variants: strict ? sure : spellings })
  }
  return rules
}

function isQuoted(said: string, item: string): boolean {
  return ['"', '`', '“'].some((quote) => said.includes(quote + item))
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function splitList(said: string): string[] {
  return said
    .split(/(?:(?<!\s)\s+)?[,;]\s*(?:or\s+|and\s+)?|(?<!\s)\s+or\s+/)
    .map(bare)
    .filter((item) => item !== '')
}

function bare(text: string): string {
  return text
    .trim()
    .replace(/^[*_`"“']+/, '')
    .replace(/(?<![*_`"”'])[*_`"”']+$/, '')
    .trim()
}
