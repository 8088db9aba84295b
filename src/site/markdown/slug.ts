/** Every way to make a heading's id. Frameworks name one of them; `learn-links.ts` finds out when a site uses another. */
export const slugStyles = [
  'github',
  'github-cased',
  'hugo',
  'hugo-ascii',
  'blackfriday',
  'dashed-cased',
  'mdbook',
  'nuxt',
  'astro',
  'vitepress',
  'vitepress-cased',
  'mintlify',
  'python',
  'python-unicode',
  'python-cased',
  'pymdownx',
  'pymdownx-cased',
  'docutils',
  'myst',
  'mystmd',
  'kramdown',
  'kramdown-gfm',
  'honkit',
  'markdown-it',
] as const

/** How a heading's id is made. */
export type SlugStyle = (typeof slugStyles)[number]

export interface Slugger {
  /** The id of a heading with this text, unique on the page. */
  next: (text: string) => string
  /** An id that a heading sets itself. */
  reserve: (id: string) => void
  /** An id without a name is taken by something else than a heading, where those are counted together. */
  skip: () => void
}

/** Python-Markdown makes ids unique, whoever makes the slugs. */
const ofPython = new Set<SlugStyle>([
  'python',
  'python-unicode',
  'python-cased',
  'pymdownx',
  'pymdownx-cased',
])
/** Those that look at all ids of the page before they make their own. */
const reserving = new Set<SlugStyle>([
  ...ofPython,
  'vitepress',
  'hugo',
  'hugo-ascii',
  'blackfriday',
  'docutils',
])

/** One page's heading ids, in reading order. */
export function createSlugger(style: SlugStyle): Slugger {
  const used = new Map<string, number>()
  const python = ofPython.has(style)
  const separator = python ? '_' : '-'
  const unnamed = () => {
    let count = used.get('') ?? 0
    do count++
    while (used.has(`id${count}`))
    used.set('', count)
    used.set(`id${count}`, 0)
    return `id${count}`
  }
  return {
    next: (text) => {
      const base = slugify(text, style)
      if (style === 'docutils' && (base === '' || used.has(base))) return unnamed()
      if (style === 'kramdown-gfm') {
        // It counts each slug and does not look at what the number makes of it.
        const count = used.get(base) ?? 0
        used.set(base, count + 1)
        return count === 0 ? base : `${base}-${count}`
      }
      if (style === 'honkit') return base
      if (style === 'mintlify') return mintlifyId(base, used)
      let id = base
      if (used.has(base) || (python && base === '')) {
        let count = used.get(base) ?? 0
        do id = `${base}${separator}${++count}`
        while (used.has(id))
        used.set(base, count)
      }
      used.set(id, 0)
      return id
    },
    reserve: (id) => {
      if (reserving.has(style)) used.set(id, 0)
    },
    skip: () => {
      if (style === 'docutils') unnamed()
    },
  }
}

export function slugify(text: string, style: SlugStyle): string {
  switch (style) {
    case 'github':
      return githubSlug(text)
    case 'github-cased':
      return letters(text).replaceAll(' ', '-')
    case 'docutils':
      return text
        .toLowerCase()
        .replace(/[ßæœøđł]/g, (sign) => latin[sign] ?? '')
        .normalize('NFKD')
        .replace(/\P{ASCII}/gu, '')
        .replace(/[^a-z\d]+/g, '-')
        .replace(/^[-\d]+|-$/g, '')
    case 'kramdown-gfm':
      return githubSlug(text)
    case 'honkit':
      return text
        .toLowerCase()
        .replace(/[!-,./:-@[-`{-~©’]/g, '')
        .replace(/\s/g, '-')
        .replace(/^-/, '')
    case 'myst':
      return text
        .toLowerCase()
        .replaceAll(' ', '-')
        .replace(/[^\p{L}\p{N}\p{M}_-]/gu, '')
    case 'mystmd':
      return text
        .trim()
        .replace(/['‘’"“”]+/g, '')
        .toLowerCase()
        .replace(/[^a-z\d]/g, '-')
        .replace(/^(?=[\d-])/, 'id-')
        .replace(/-{2,}/g, '-')
        .replace(/-$/, '')
    case 'mdbook':
      return text
        .trim()
        .toLowerCase()
        .replace(/[^\p{Alphabetic}\p{N}_\s-]/gu, '')
        .replace(/\s/g, '-')
    case 'hugo':
      return hugoSlug(text)
    case 'hugo-ascii':
      return hugoSlug(text.normalize('NFD').replace(/\P{ASCII}/gu, ''))
    case 'blackfriday':
      return text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-|-$/g, '')
    case 'pymdownx':
      return pymdownxSlug(text).toLowerCase()
    case 'pymdownx-cased':
      return pymdownxSlug(text)
    case 'kramdown':
      return letters(text.replace(/^[^\p{L}]+/u, '').toLowerCase()).replaceAll(' ', '-')
    case 'markdown-it':
      return text.trim().toLowerCase().replace(/\s+/g, '-')
    case 'python-cased':
      return keptByPython(text)
        .trim()
        .replace(/[-\s]+/g, '-')
    case 'nuxt':
      return githubSlug(text)
        .replace(/-{2,}/g, '-')
        .replace(/^-|-$/g, '')
        .replace(/^(?=\d)/, '_')
    case 'astro':
      return githubSlug(text).replace(/-$/, '')
    case 'vitepress':
      return vitepressWords(text)
        .replace(/^-|-$/g, '')
        .replace(/^(?=\d)/, '_')
        .toLowerCase()
    case 'vitepress-cased':
      return vitepressWords(text).replace(/^(?=\d)/, '_')
    case 'dashed-cased':
      return text.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
    case 'mintlify':
      return mintlifySlug(text)
    case 'python': {
      return pythonSlug(text.normalize('NFKD').replace(/[^\w\s-]|\P{ASCII}/gu, ''))
    }
    default:
      return pythonSlug(keptByPython(text))
  }
}

const latin: Readonly<Record<string, string>> = { ß: 'sz', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l' }

function githubSlug(text: string): string {
  return letters(text.toLowerCase()).replaceAll(' ', '-')
}

/** The text without everything except letters, marks, digits, underscores, hyphens and spaces. */
function letters(text: string): string {
  return text.replace(/[^\p{Alphabetic}\p{M}\p{Nd}\p{Nl}\p{Pc} -]/gu, '')
}

function hugoSlug(text: string): string {
  const slug = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd}_\s-]/gu, '')
    .replace(/\s/g, '-')
  return slug === '' ? 'heading' : slug
}

function pymdownxSlug(text: string): string {
  return text
    .normalize('NFC')
    .trim()
    .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function keptByPython(text: string): string {
  return text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, '')
}

function vitepressWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]|\p{Cc}/gu, '')
    .replace(/[\s\-~`!@#$%^&*()_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
}

/** Signs that an address need not encode become hyphens, and of the others some are left out. */
function mintlifySlug(text: string): string {
  return text
    .toLowerCase()
    .trim()
    .replace(/[\s.!~*'()-]+/g, '-')
    .replace(/([^_-])-([ts])(?=-|$)/g, '$1$2')
    .replace(/^-|-$/g, '')
    .replace(/[?,;:"[\]{}]/g, '')
    .replace(
      /[\p{Emoji_Modifier}\p{Emoji_Modifier_Base}\p{Emoji_Presentation}\p{Extended_Pictographic}]|\u200D|\uFE0E|\uFE0F/gu,
      '',
    )
}

/** It counts a slug apart from what the number makes of it, and looks at the one without a number too. */
function mintlifyId(base: string, used: Map<string, number>): string {
  if (base === '') return base
  const count = (used.get(base) ?? 0) + 1
  used.set(base, count)
  const words = base.split('-')
  while (words.length > 1 && /^\d+$/.test(words.at(-1) ?? '')) words.pop()
  const isLike = words.length < base.split('-').length && (used.get(words.join('-')) ?? 0) > 2
  return count > 1 || isLike ? `${base}-${count}` : base
}

function pythonSlug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-')
}
