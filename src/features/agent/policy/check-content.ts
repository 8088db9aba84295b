import { readText } from '../../../site/text/encoding.ts'
import type { FileDifference } from '../workspace/workspace.ts'
import { placesIn } from './addresses.ts'
import { type BaseSite, knownParts, secretName } from './base-site.ts'
import { findSecrets } from './find-secrets.ts'
import { mintlifyViolations } from './guarded-configuration.ts'
import { shortName } from './known-parts.ts'
import { commandParts } from './parts/command-parts.ts'
import { fileParts, nameOf } from './parts/file-parts.ts'
import { readingOf } from './parts/page-parts.ts'
import { embeddingParts } from './parts/include-parts.ts'
import { type Part, tooComplex } from './parts/part.ts'
import type { Violation } from './violation.ts'

/** Secrets, and everything that is not known to be inert, as far as a diff adds it. */
export async function checkContent(changes: readonly FileDifference[], site: BaseSite): Promise<Violation[]> {
  return [
    ...(await secretViolations(changes, site)),
    ...(await mintlifyViolations(changes, site)),
    ...(await activeViolations(changes, site)),
  ]
}

async function secretViolations(changes: readonly FileDifference[], site: BaseSite): Promise<Violation[]> {
  const known = new Set(changes.flatMap(({ before }) => readText(before).split(/\r?\n/)))
  const violations: Violation[] = []
  for (const { path, before, after } of changes) {
    if (before === undefined && findSecrets([{ text: path, line: 1 }]).length > 0)
      violations.push({
        code: 'secret',
        path: '',
        message: 'The name of a new file contains what looks like a secret',
      })
    if (after !== undefined) site.begin?.(path, after)
    const lines = readText(after)
      .split(/\r?\n/)
      .map((text, index) => ({ text, line: index + 1 }))
    for (const { kind, line } of findSecrets(lines, ({ text }) => !known.has(text))) {
      // What pages show already tells nobody anything.
      const text = lines[line - 1]?.text ?? ''
      if (await knownParts(site).has([nameOf(path, secretName(text))], path, text)) continue
      violations.push({
        code: 'secret',
        path,
        line,
        message: `Adds a possible secret (${kind}). Use a placeholder such as YOUR_KEY`,
      })
    }
  }
  return violations
}

/** What is not inert in the changed files has to stand in the base in the same form, in a file of the same kind. */
async function activeViolations(changes: readonly FileDifference[], site: BaseSite): Promise<Violation[]> {
  const contents = new Map(changes.map(({ path, after }) => [path, after]))
  const added = changes.filter(({ before }) => before === undefined).map(({ path }) => path)
  const read = async (
    path: string,
    content: Uint8Array | undefined,
    at: 'before' | 'after',
  ): Promise<Part[]> => {
    if (content === undefined || site.begin?.(path, content) === false) return []
    const reading = { ...site.readingOf(path), added: at === 'after' ? added : [] }
    const embedded = await embeddingParts(readText(content), readingOf({ ...reading, path }), async (one) =>
      readText(at === 'after' && contents.has(one) ? contents.get(one) : await site.read(one)),
    )
    return [...(await fileParts(path, content, reading)), ...commandParts(readText(content)), ...embedded]
  }
  const violations: Violation[] = []
  const complex = (path: string): void => {
    const message = 'It takes too long to judge what it does: make it shorter or less nested'
    violations.push({ code: 'complex', path, message })
  }
  const before = new Set<string>()
  for (const { path, before: content } of changes) {
    for (const host of placesIn(readText(content))) before.add(`any host ${host}`)
    for (const part of await read(path, content, 'before'))
      if (part.what === tooComplex) complex(path)
      else for (const key of [part.key, ...(part.also ?? [])]) before.add(nameOf(path, key))
  }
  const known = knownParts(site)
  for (const { path, after } of changes) {
    const reported = new Set<string>()
    for (const part of await read(path, after, 'after')) {
      if (part.isBound === true) continue
      if (part.what === tooComplex) {
        complex(path)
        continue
      }
      const name = nameOf(path, part.key)
      if (reported.has(name)) continue
      reported.add(name)
      const approval = part.approval ?? { kind: 'part' as const, value: shortName(part.key) }
      if (site.allows?.(approval) === true) continue
      const names = [part.key, ...(part.also ?? [])].flatMap((key) =>
        [path, 'page.md'].map((one) => nameOf(one, key)),
      )
      if (names.some((one) => before.has(one)) || (await known.has(names, path, part.words))) continue
      const { line, degree } = part
      const isLook = degree === 'look' && site.isStrict !== true
      // What is told must not tell a secret.
      const isSecret = findSecrets([{ text: part.what, line: 1 }]).length > 0
      const what = isSecret ? 'something that may act, with what looks like a secret in it' : part.what
      const advice = isLook
        ? 'A person has to look at it'
        : 'Write it in plain Markdown, show it as code, or leave it to a person. Only what this site already uses is accepted'
      violations.push({
        code: 'active',
        path,
        line,
        message: `It would add ${what}. ${advice}`,
        ...(isLook && { degree: 'look' }),
        ...(!isSecret && { approval }),
      })
    }
  }
  return violations
}
