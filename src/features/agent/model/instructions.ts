import { readText } from '../../../site/text/encoding.ts'
import type { BlobReader } from '../../../integrations/git/trees/blob-reader.ts'
import type { TreeEntry } from '../../../integrations/git/trees/list-tree.ts'
import { createFences } from '../../../site/markdown/fence.ts'
import { readLine } from '../../../site/markdown/line.ts'
import { requestTemplates } from '../workspace/request-template.ts'
import { withoutHidden } from '../../../lib/text/plain-text.ts'

/** A repository's own instructions for writing in it. */
export interface Instructions {
  rules: { path: string; text: string }[]
  /** The template for pull request descriptions. */
  template: { path: string; text: string } | undefined
}

const maxTotal = 32 * 1024
const maxTemplate = 8 * 1024
const maxContributing = 4 * 1024

/**
 * Reads the instructions from a commit of the base branch with these `files`, so that neither a job nor a branch of
 * a fork can change them.
 */
export async function readInstructions(
  reader: Pick<BlobReader, 'readSome'>,
  files: readonly TreeEntry[],
  root: string,
): Promise<Instructions> {
  const at = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
  const agents = ['.docwright/AGENTS.md', 'AGENTS.md', at(root, 'AGENTS.md'), ...others(files, at(root, ''))]
  const contributing = [
    'CONTRIBUTING.md',
    '.github/CONTRIBUTING.md',
    'docs/CONTRIBUTING.md',
    at(root, 'CONTRIBUTING.md'),
  ]
  const templates = requestTemplates(files).map(({ path }) => path)
  const texts = await readTexts(reader, files, new Set([...agents, ...contributing, ...templates]))
  let left = maxTotal
  const take = (path: string, text: string, limit: number): { path: string; text: string }[] => {
    const plain = text.trim()
    if (plain === '' || left === 0) return []
    const size = Math.min(limit, left)
    left -= Math.min(plain.length, size)
    return [
      { path, text: plain.length <= size ? plain : `${plain.slice(0, size).toWellFormed()}\n(cut here)` },
    ]
  }
  const file = templates.find((path) => (texts.get(path) ?? '').trim() !== '')
  const [template] = file === undefined ? [] : take(file, texts.get(file) ?? '', maxTemplate)
  // The same rules are often kept for several programs.
  const known = new Set<string>()
  const rules = [...new Set(agents)].flatMap((path) => {
    const text = (texts.get(path) ?? '').trim()
    if (known.has(text)) return []
    known.add(text)
    return take(path, text, maxTotal)
  })
  const guide = contributing.find((path) => styleRules(texts.get(path) ?? '') !== '')
  if (guide !== undefined) rules.push(...take(guide, styleRules(texts.get(guide) ?? ''), maxContributing))
  return { rules, template }
}

const mostOthers = 20

/** Rules for other programs that write here, in the repository's root or in the folder of the docs. */
function others(files: readonly TreeEntry[], root: string): string[] {
  const names = [
    '.mintlify/AGENTS.md',
    '.claude/CLAUDE.md',
    'CLAUDE.md',
    '.github/copilot-instructions.md',
    '.cursorrules',
  ]
  const folders = [...new Set(['', root])]
  const cursor = files.flatMap(({ path }) => {
    const isRule = folders.some((folder) => path.startsWith(`${folder}.cursor/rules/`))
    return isRule && /\.mdc?$/.test(path) ? [path] : []
  })
  return [
    ...folders.flatMap((folder) => [...names, '.cursor/rules'].map((name) => `${folder}${name}`)),
    ...cursor.slice(0, mostOthers),
  ]
}

async function readTexts(
  reader: Pick<BlobReader, 'readSome'>,
  files: readonly TreeEntry[],
  paths: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const entries = files.filter(({ path, mode }) => paths.has(path) && mode.startsWith('100'))
  const blobs = await reader.readSome(entries.map(({ oid }) => oid))
  return new Map(
    blobs.flatMap((blob, index) => {
      const path = entries[index]?.path
      if (path === undefined || blob.state !== 'read' || blob.content.length > 8 * maxTotal) return []
      return [[path, withoutComments(readText(blob.content))]]
    }),
  )
}

// HTML comments are hidden from readers, so they are no instructions to us either. In code they are shown.
function withoutComments(text: string): string {
  const fences = createFences()
  let isOpen = false
  const lines = text.split('\n').map((line) => {
    if (!isOpen && fences.holds(readLine(line))) return line
    let plain = ''
    for (let at = 0; at < line.length;) {
      const sign = isOpen ? '-->' : '<!--'
      const signAt = isOpen ? line.indexOf(sign, at) : outsideCode(line, sign, at)
      if (!isOpen) plain += line.slice(at, signAt === -1 ? line.length : signAt)
      if (signAt === -1) break
      isOpen = !isOpen
      at = signAt + sign.length
    }
    return plain
  })
  return withoutHidden(lines.join('\n')).replaceAll(/\n{3,}/g, '\n\n')
}

/** Where a sign is in a line that is not between backticks. */
function outsideCode(line: string, sign: string, from: number): number {
  for (let at = from; at < line.length;) {
    const signAt = line.indexOf(sign, at)
    const tick = line.indexOf('`', at)
    if (signAt === -1 || tick === -1 || signAt < tick) return signAt
    let width = 1
    while (line[tick + width] === '`') width++
    const end = line.indexOf('`'.repeat(width), tick + width)
    at = end === -1 ? tick + width : end + width
  }
  return -1
}

// The other sections are about building, branches and licences.
function styleRules(text: string): string {
  const kept: string[] = []
  let depth = 0
  for (const line of text.split('\n')) {
    const [, signs = '', title = ''] = /^(#{1,6})\s+(\S.{0,200})$/.exec(line) ?? []
    if (signs !== '' && (depth === 0 || signs.length <= depth)) {
      depth = /\b(?:style|styles|writing|tone|voice|wording|terminology|language|formatting)\b/i.test(title)
        ? signs.length
        : 0
    }
    if (depth > 0) kept.push(line)
  }
  const rules = kept.join('\n').trim()
  return rules.length > 2 * maxContributing ? '' : rules
}
