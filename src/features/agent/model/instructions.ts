import { readText } from '../../../site/text/encoding.ts'
import type { BlobReader } from '../../../integrations/git/trees/blob-reader.ts'
import type { TreeEntry } from '../../../integrations/git/trees/list-tree.ts'
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
  const agents = ['.docwright/AGENTS.md', 'AGENTS.md', at(root, 'AGENTS.md')]
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
  const rules = [...new Set(agents)].flatMap((path) => take(path, texts.get(path) ?? '', maxTotal))
  const guide = contributing.find((path) => styleRules(texts.get(path) ?? '') !== '')
  if (guide !== undefined) rules.push(...take(guide, styleRules(texts.get(guide) ?? ''), maxContributing))
  return { rules, template }
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

// HTML comments are hidden from readers, so they are no instructions to us either.
function withoutComments(text: string): string {
  let plain = ''
  for (let at = 0; ;) {
    const start = text.indexOf('<!--', at)
    if (start === -1) return withoutHidden(plain + text.slice(at)).replaceAll(/\n{3,}/g, '\n\n')
    plain += text.slice(at, start)
    const end = text.indexOf('-->', start + 4)
    if (end === -1) return withoutHidden(plain)
    at = end + 3
  }
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
