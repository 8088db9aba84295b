import { shownAttributes } from '../../../site/markdown/shown-attributes.ts'

/** What a component looks like here, whatever a framework calls it. */
export type ComponentKind = (typeof kinds)[number]

export const kinds = [
  'tabs',
  'tab',
  'steps',
  'step',
  'cards',
  'card',
  'fold',
  'field',
  'files',
  'folder',
  'file',
  'panel',
] as const

const names: ReadonlyMap<string, ComponentKind> = new Map(
  Object.entries({
    tabs: 'Tabs CodeGroup TabGroup CodeTabs code-group tabs tab-set',
    tab: 'Tab TabItem TabPanel tab tab-item',
    steps: 'Steps Stepper steps',
    step: 'Step step',
    cards: 'Cards CardGroup CardGrid CardList Columns card-group card-grid',
    card: 'Card LinkCard Tile card link-card',
    fold: 'Accordion Expandable Collapse Collapsible Details details accordion-item collapse',
    field: 'ParamField ResponseField PropertyField',
    files: 'FileTree Files Tree file-tree',
    folder: 'Folder FileTree.Folder Tree.Folder',
    file: 'File FileTree.File Tree.File',
    panel: 'Update Panel Frame',
  } satisfies Record<ComponentKind, string>).flatMap(([kind, words]) =>
    words.split(' ').map((word) => [word, kind as ComponentKind] as const),
  ),
)

/** The kind of a component by its name, as in `<CodeGroup>` or `::: code-group`; undefined for others. */
export function componentKind(name: string): ComponentKind | undefined {
  return names.get(name)
}

/**
 * Marks the element that stands for a component until `buildComponents` makes it look like one. A page that writes such attributes
 * itself gets a component too, which does no harm.
 */
export function componentMarks(
  kind: ComponentKind,
  name: string,
  attributes: ReadonlyMap<string, string>,
): Record<string, string> {
  const firstOf = (keys: readonly string[]): string =>
    keys.map((key) => attributes.get(key)?.trim() ?? '').find((value) => value !== '') ?? ''
  const title =
    kind === 'field'
      ? firstOf(['path', 'query', 'body', 'header', 'name'])
      : firstOf(['title', 'label', 'header', 'heading', 'summary', 'name', 'caption', 'value'])
  const notes =
    kind === 'field'
      ? fieldNotes(attributes)
      : shownAttributes(name, attributes).filter((text) => text !== title)
  const marks = {
    'data-component': kind,
    'data-title': title,
    'data-text': (Array.isArray(notes) ? notes.join(' ') : notes).replaceAll(/\s+/g, ' '),
    'data-href': firstOf(['href', 'to', 'link', 'url']),
  }
  return Object.fromEntries(Object.entries(marks).filter(([, value]) => value !== ''))
}

function fieldNotes(attributes: ReadonlyMap<string, string>): string {
  const value = attributes.get('default')?.trim() ?? ''
  const notes = [
    attributes.get('type')?.trim() ?? '',
    attributes.has('required') && attributes.get('required') !== 'false' ? 'required' : '',
    attributes.has('deprecated') && attributes.get('deprecated') !== 'false' ? 'deprecated' : '',
    value === '' ? '' : `default: ${value}`,
  ]
  return notes.filter((note) => note !== '').join(' · ')
}

/** The title of a code block, as the frameworks write it behind the language; `loose` where bare words are one too. */
export function codeTitle(meta: string, isLoose: boolean): string | undefined {
  const written = /(?:^|\s|\{)(?:title|filename|file)=(?:"([^"]*)"|'([^']*)')/.exec(meta)
  const title = written?.[1] ?? written?.[2] ?? /^\s*\[([^\]]+)\]/.exec(meta)?.[1]
  if (title !== undefined) return title.trim() === '' ? undefined : title.trim()
  if (!isLoose) return undefined
  const words = meta.trim().split(/\s+/)
  const end = words.findIndex((word) => /[={]/.test(word))
  const bare = words.slice(0, end === -1 ? undefined : end).join(' ')
  return bare === '' ? undefined : bare
}

/** A text between quotes in HTML and in JSX. */
export function escapeAttribute(text: string): string {
  return text.replaceAll(/[&<>"{}]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
