import { parse } from 'yaml'
import { isHostileYaml } from '../../../../lib/hostile-yaml.ts'
import { z } from 'zod'
import type { TermRule } from '../requests/request.ts'

const variants = z.union([z.string().transform((value) => splitList(value)), z.array(z.string())])
const named = z.object({
  term: z.string(),
  variants: variants.optional(),
  not: variants.optional(),
  avoid: variants.optional(),
  instead_of: variants.optional(),
  aliases: variants.optional(),
})

/** Terms with the spellings they replace, from YAML, JSON or Markdown; empty when it names none. */
export function readGlossary(text: string, path: string): TermRule[] {
  const rules = /\.mdx?$/i.test(path) ? readMarkdown(text) : readData(text, path)
  return rules.flatMap((rule) => {
    const others = rule.variants
      .map((variant) => variant.trim())
      .filter((variant) => variant !== '' && variant !== rule.term)
    return rule.term === '' || others.length === 0
      ? []
      : [{ term: rule.term, variants: [...new Set(others)] }]
  })
}

function readData(text: string, path: string): TermRule[] {
  if (text.length > (path.endsWith('.json') ? 200_000 : 32_000) || isDeep(text) || isHostileYaml(text))
    return []
  let value: unknown
  try {
    value = path.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: 10, logLevel: 'silent' })
  } catch {
    return []
  }
  return readValue(value, 0)
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

function readValue(value: unknown, depth: number): TermRule[] {
  if (typeof value !== 'object' || value === null || depth > 2) return []
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const entry = named.safeParse(item)
      if (!entry.success) return readValue(item, depth + 1)
      const { term, ...lists } = entry.data
      return [{ term, variants: Object.values(lists).flatMap((list) => list ?? []) }]
    })
  }
  return Object.entries(value).flatMap(([term, said]) => {
    const list = variants.safeParse(said)
    if (list.success && !(Array.isArray(said) && said.length === 0)) return [{ term, variants: list.data }]
    const entry = named.omit({ term: true }).safeParse(said)
    const found =
      entry.success && !Array.isArray(said) ? Object.values(entry.data).flatMap((list) => list ?? []) : []
    return found.length > 0 ? [{ term, variants: found }] : readValue(said, depth + 1)
  })
}

/** `- **GitHub**: not Github, git hub` and table rows `| GitHub | Github, git hub |`. */
function readMarkdown(text: string): TermRule[] {
  const rules: TermRule[] = []
  for (const line of text.split('\n').slice(0, 5000)) {
    const cells = /^\s*\|([^|\n]{1,200})\|([^|\n]{1,500})\|/.exec(line)
    const entry = /^\s*[-*+]\s+([^:\n]{1,200}?)\s*(?::|—|–|\s-\s)\s*([^\n]{1,500})$/.exec(line)
    const [, term, said] = cells ?? entry ?? []
    if (term === undefined || said === undefined || /^[\s:|-]+$/.test(said)) continue
    if (cells && /^(?:term|use|preferred|spelling)s?$/i.test(bare(term))) continue
    const list = /^(?:not|never|instead of|avoid)[:\s]+(.+)$/i.exec(said.trim())?.[1]
    // A definition in words is no list of spellings.
    const spellings = splitList(list ?? said)
    if (list === undefined && spellings.some((item) => item.length > 40 || item.endsWith('.'))) continue
    rules.push({ term: bare(term), variants: spellings })
  }
  return rules
}

function splitList(said: string): string[] {
  return said
    .split(/\s*[,;]\s*(?:or\s+|and\s+)?|\s+or\s+/)
    .map(bare)
    .filter((item) => item !== '')
}

function bare(text: string): string {
  return text
    .trim()
    .replace(/^[*_`"“']+|[*_`"”']+$/g, '')
    .trim()
}
