import { isRecord } from '../../../lib/is-record.ts'
import type { Finding } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'
import { findFrontMatter, readFrontMatter } from '../../markdown/front-matter.ts'
import { lineFinder } from '../../text/text-file.ts'
import { openYaml, startOf } from '../../text/yaml-source.ts'
import { isMap, isScalar } from 'yaml'

type Data = Readonly<Record<string, unknown>>

/** Front matter that is never closed, names a key twice, or lacks what the framework needs of a page. */
export function checkFrontMatter(file: FileVersion): Finding[] {
  const { path, text, site } = file
  if (!file.isMarkdown) return []
  const { data, problem, bodyStart } = readFrontMatter(text)
  if (bodyStart <= 1) {
    const open = unclosed(text.split('\n', 2))
    if (open !== undefined) return [open]
  }
  // The check of the whole site reports front matter that cannot be read.
  if (problem !== undefined) return []
  const keys = topKeys(text)
  const doubled = doubledKeys(keys)
  if (site.pageFor(path, data) === undefined) return doubled
  const needed = needs[site.framework]?.(data, path) ?? []
  return [
    ...doubled,
    ...needed.map(({ key, ...rest }) =>
      finding({ ...rest, line: keys.find(({ name }) => name === key)?.line ?? 1 }),
    ),
  ]
}

interface Need {
  key: string
  message: string
  hint: string
}

function finding({ line, message, hint }: { line: number; message: string; hint: string }): Finding {
  return { check: 'front_matter', line, message, hint }
}

function unclosed([first = '', second = '']: readonly string[]): Finding | undefined {
  if (first.replace('\uFEFF', '').trimEnd() !== '---' || !/^[A-Za-z_][\w-]*:(?:\s|$)/.test(second))
    return undefined
  return finding({
    line: 1,
    message: 'The front matter is never closed',
    hint: 'Close it with a line of --- before the text starts',
  })
}

interface Key {
  name: string
  line: number
}

/** Keys of the top level, with the lines that they stand on. */
function topKeys(text: string): Key[] {
  const block = findFrontMatter(text)
  if (block?.language !== 'yaml') return []
  const contents = openYaml(text.slice(block.start, block.end))?.contents
  const lineOf = lineFinder(text)
  return (isMap(contents) ? contents.items : []).flatMap((pair) =>
    isScalar(pair.key) ? [{ name: String(pair.key.value), line: lineOf(block.start + startOf(pair)) }] : [],
  )
}

function doubledKeys(keys: readonly Key[]): Finding[] {
  return keys
    .filter(({ name }, at) => keys.findIndex((key) => key.name === name) < at)
    .map(({ name, line }) =>
      finding({
        line,
        message: `The front matter has the key ${JSON.stringify(name)} twice`,
        hint: `Keep one of the two lines of ${name}`,
      }),
    )
}

const needs: Readonly<Record<string, (data: Data, path: string) => Need[]>> = {
  mintlify: (data, path) =>
    // Pages that are generated from a specification or a link, and instructions for agents, need no title.
    ['openapi', 'asyncapi', 'url'].some((key) => data[key] !== undefined) || /(?:^|\/)skill\.md$/i.test(path)
      ? []
      : title(data, 'Mintlify', true),
  starlight: (data) => [
    ...title(data, 'Starlight', false),
    ...wrong(data, ['description', 'slug'], 'text', (value) => typeof value === 'string'),
    ...wrong(data, ['draft', 'pagefind'], 'true or false', (value) => typeof value === 'boolean'),
    ...wrong(data, ['sidebar'], 'a set of keys such as `label` and `order`', isRecord),
    ...wrong(
      isRecord(data['sidebar']) ? { 'sidebar.order': data['sidebar']['order'] } : {},
      ['sidebar.order'],
      'a number',
      (value) => typeof value === 'number',
    ),
  ],
  docusaurus: (data) => [
    ...wrong(data, ['id', 'slug', 'title', 'sidebar_label', 'description'], 'text', isText),
    ...(isText(data['id']) && String(data['id']).includes('/')
      ? [{ key: 'id', message: 'The id of the page holds a slash', hint: 'Leave the folder out of `id`' }]
      : []),
    ...wrong(
      data,
      ['sidebar_position'],
      'a number',
      (value) => isText(value) && String(value).trim() !== '' && Number.isFinite(Number(value)),
    ),
    ...wrong(
      data,
      ['draft', 'unlisted', 'hide_title', 'hide_table_of_contents'],
      'true or false',
      (value) => typeof value === 'boolean' || value === 'true' || value === 'false',
    ),
  ],
}

function title(data: Data, framework: string, numbers: boolean): Need[] {
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
  return [{ key: 'title', message: 'The title of the page is no text', hint }]
}

function wrong(
  data: Data,
  keys: readonly string[],
  kind: string,
  isRight: (value: unknown) => boolean,
): Need[] {
  return keys
    .filter((key) => data[key] !== undefined && data[key] !== null && !isRight(data[key]))
    .map((key) => ({
      key: key.split('.', 1)[0] ?? key,
      message: `\`${key}\` in the front matter is not ${kind}`,
      hint: `Give \`${key}\` ${kind}`,
    }))
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
