import type { Ability, AbilityField, Values } from '../../integrations/models/ability.ts'

/**
 * The requests of the built-in model as forms. A test reads each sentence with the grammar again, so that the two
 * cannot part.
 */
export const abilities: readonly Ability[] = [
  {
    name: 'replace',
    title: 'Replace a text',
    group: 'Change texts',
    description: 'Changes a name or a phrase wherever it stands as a whole.',
    fields: [
      text('from', 'Text to replace', { example: 'Acme' }),
      text('to', 'New text', { example: 'Globex' }),
      place(),
      choice('code', 'Code', [
        ['', 'Leave code as it is'],
        ['yes', 'Change it in code too'],
      ]),
    ],
    say: ({ from, to, place, code }) =>
      `Replace ${quoted(from)} with ${quoted(to)}${within(place)}${code === 'yes' ? ', including code' : ''}`,
  },
  {
    name: 'version',
    title: 'Update a version',
    group: 'Change texts',
    description: 'Writes the new version where it follows the name of the product.',
    fields: [
      text('product', 'Product', { example: 'Node.js', pattern: '[\\w.+#\\-]+' }),
      text('to', 'New version', { example: '24', pattern: 'v?\\d+(\\.\\d+)*' }),
      place(),
    ],
    say: ({ product, to, place }) => `Update ${product ?? ''} to ${to ?? ''}${within(place)}`,
  },
  {
    name: 'term',
    title: 'Use one spelling of a term',
    group: 'Change texts',
    description: 'Writes a term in one way where it was written in others.',
    fields: [
      text('term', 'Right spelling', { example: 'GitHub' }),
      text('other', 'Spelling to replace', { example: 'Github' }),
      text('another', 'Another one', { example: 'git hub', isOptional: true }),
      place(),
    ],
    say: ({ term, other, another, place }) =>
      `Use ${quoted(term)} instead of ${[other, another].flatMap((one) => (one === undefined ? [] : [quoted(one)])).join(', ')}${within(place)}`,
  },
  {
    name: 'glossary',
    title: 'Apply a glossary',
    group: 'Change texts',
    description: 'Uses the terms of a file that lists them with the spellings to replace.',
    fields: [
      text('file', 'Glossary file', {
        example: 'glossary.yml',
        pattern: '\\S+\\.(ya?ml|json|mdx?|markdown|rst|adoc)',
      }),
    ],
    say: ({ file }) => `Normalise terms using ${file ?? ''}`,
  },
  {
    name: 'links',
    title: 'Fix broken links',
    group: 'Fix',
    description: 'Repairs links, anchors and images that have exactly one good target, and lists the others.',
    fields: [
      choice('only', 'What', [
        ['links', 'Links, anchors and images'],
        ['anchors', 'Only anchors'],
        ['images', 'Only images'],
      ]),
      place(),
    ],
    say: ({ only = 'links', place }) => `Fix broken ${only}${within(place)}`,
  },
  {
    name: 'relink',
    title: 'Change where links point',
    group: 'Fix',
    description: 'Changes the target of every link to an address.',
    fields: [
      text('from', 'Old address', { example: '/old' }),
      text('to', 'New address', { example: '/new' }),
    ],
    say: ({ from, to }) => `Replace ${quoted(from)} with ${quoted(to)} in all links`,
  },
  {
    name: 'typos',
    title: 'Fix common typos',
    group: 'Fix',
    description: 'Corrects typos from a list of common English ones.',
    fields: [place()],
    say: ({ place }) => `Fix the typos${within(place)}`,
  },
  {
    name: 'missing',
    title: 'Add what pages lack',
    group: 'Fix',
    description: 'Takes missing descriptions from the first sentence of a page, and titles from its heading.',
    fields: [
      choice('field', 'What', [
        ['descriptions', 'Descriptions'],
        ['titles', 'Titles'],
      ]),
      place(),
    ],
    say: ({ field = 'descriptions', place }) => `Add missing ${field}${within(place)}`,
  },
  {
    name: 'move',
    title: 'Move a page',
    group: 'Pages',
    description: 'Links, navigation and redirects follow.',
    fields: [
      page(),
      text('to', 'New path or folder/', {
        example: 'start/install.md',
        pattern: '[^\\s][^\\s/.]*[/.][^\\s]*',
      }),
    ],
    say: ({ page, to }) => `Move ${named(page)} to ${to ?? ''}`,
  },
  {
    name: 'rename',
    title: 'Rename a page',
    group: 'Pages',
    description: 'Changes its title, and its entry in the navigation.',
    fields: [
      page(),
      text('title', 'New title', { example: 'Installation' }),
      choice('file', 'File', [
        ['', 'Keep the name of its file'],
        ['yes', 'Rename its file too'],
      ]),
    ],
    say: ({ page, title, file }) =>
      `Rename ${named(page)} to ${quoted(title)}${file === 'yes' ? ' and its file' : ''}`,
  },
  {
    name: 'describe',
    title: 'Describe a page',
    group: 'Pages',
    description: 'Sets the description that search engines and lists show.',
    fields: [page(), text('description', 'Description', { example: 'How to install' })],
    say: ({ page, description }) => `Set the description of ${named(page)} to ${quoted(description)}`,
  },
  {
    name: 'delete',
    title: 'Delete a page',
    group: 'Pages',
    description: 'Its entry in the navigation goes, and links to it become plain text.',
    fields: [page()],
    say: ({ page }) => `Delete ${named(page)}`,
  },
  {
    name: 'add-page',
    title: 'Add a page',
    group: 'Pages',
    description: 'With a heading like its neighbours, and an entry in the navigation.',
    fields: [
      text('title', 'Title', { example: 'Troubleshooting' }),
      { ...page('after', 'After which page'), isOptional: true },
      lines('text', { isOptional: true }),
    ],
    say: ({ title, after, text }) =>
      `Add a page ${quoted(title)}${after === undefined ? '' : ` after ${named(after)}`}${text === undefined ? '' : ` with: ${quoted(text)}`}`,
  },
  {
    name: 'box',
    title: 'Add a note, tip, or warning',
    group: 'Add text',
    description: 'Written as the page writes its boxes.',
    fields: [
      choice('kind', 'Kind', [
        ['note', 'Note'],
        ['tip', 'Tip'],
        ['info', 'Info'],
        ['warning', 'Warning'],
        ['caution', 'Caution'],
        ['danger', 'Danger'],
      ]),
      page(),
      text('heading', 'Under which heading', { isOptional: true, example: 'Install' }),
      lines('text'),
    ],
    say: ({ kind = 'note', page, heading, text }) =>
      heading === undefined
        ? `Add a ${kind} to ${named(page)}: ${quoted(text)}`
        : `Add a ${kind} under the heading ${quoted(heading)} of ${named(page)}: ${quoted(text)}`,
  },
  {
    name: 'section',
    title: 'Add a section',
    group: 'Add text',
    description: 'At the end of a page.',
    fields: [page(), text('heading', 'Heading', { example: 'FAQ' }), lines('text')],
    say: ({ page, heading, text }) => `Add a section ${quoted(heading)} to ${named(page)}: ${quoted(text)}`,
  },
  {
    name: 'paragraph',
    title: 'Add a paragraph',
    group: 'Add text',
    description: 'At the end of a page, or after a heading.',
    fields: [page(), text('heading', 'Under which heading', { isOptional: true }), lines('text')],
    say: ({ page, heading, text }) =>
      heading === undefined
        ? `Add a paragraph to ${named(page)}: ${quoted(text)}`
        : `Add a paragraph under the heading ${quoted(heading)} of ${named(page)}: ${quoted(text)}`,
  },
]

type More = Partial<Omit<AbilityField, 'name' | 'label' | 'kind'>>

function text(name: string, label: string, more: More = {}): AbilityField {
  return { name, label, kind: 'text', ...more }
}

function lines(name: string, more: More = {}): AbilityField {
  return { name, label: 'Text', kind: 'lines', ...more }
}

function page(name = 'page', label = 'Page'): AbilityField {
  return { name, label, kind: 'page' }
}

function place(): AbilityField {
  return {
    name: 'place',
    label: 'Only in a page or folder/',
    kind: 'place',
    isOptional: true,
    example: 'guides/',
  }
}

function choice(name: string, label: string, choices: readonly (readonly [string, string])[]): AbilityField {
  const listed = choices.map(([value, label]) => ({ value, label }))
  return { name, label, kind: 'choice', isOptional: true, choices: listed }
}

function quoted(text: Values[string]): string {
  const words = text ?? ''
  // A backslash at the end would hide the closing quote.
  return words.endsWith('\\') && !/[“”"]/.test(words) ? `“${words}”` : `"${words.replaceAll('"', '\\"')}"`
}

function named(page: Values[string]): string {
  return `the page ${quoted(page)}`
}

function within(place: Values[string]): string {
  if (place === undefined) return ''
  return /^\S+\/$/.test(place) ? ` in ${place}` : ` in ${named(place)}`
}
