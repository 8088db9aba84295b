import type { FrontMatterNeed } from '../pages/page-customs.ts'
import type { FrontMatterData } from '../pages/page.ts'

/** A title that is a text; `numbers`: or a number. */
export function needsTitle(data: FrontMatterData, framework: string, numbers: boolean): FrontMatterNeed[] {
  const { title } = data
  if (typeof title === 'string' && title.trim() !== '') return []
  if (title === undefined || title === null || title === '') {
    const message = `The page has no title, which ${framework} needs`
    return [{ key: 'title', message, hint: 'Add `title: …` to the front matter' }]
  }
  if (numbers && typeof title === 'number') return []
  const hint =
    typeof title === 'number' || typeof title === 'boolean'
      ? `Write it in quotes: title: "${String(title)}"`
      : 'Write it as one text in quotes'
  return [{ key: 'title', message: 'The title of the page is not text', hint }]
}

/** Keys whose value is none of its kind. */
export function needsKind(
  data: FrontMatterData,
  keys: readonly string[],
  kind: string,
  isRight: (value: unknown) => boolean,
): FrontMatterNeed[] {
  return keys
    .filter((key) => data[key] !== undefined && data[key] !== null && !isRight(data[key]))
    .map((key) => ({
      key: key.split('.', 1)[0] ?? key,
      message: `\`${key}\` in the front matter is not ${kind}`,
      hint: `Give \`${key}\` ${kind}`,
    }))
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
