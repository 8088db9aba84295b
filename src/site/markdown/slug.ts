/** Every way to make a heading's id. Frameworks name one of them; `learn-links.ts` finds out when a site uses another. */
export const slugStyles = [
  'github',
  'github-cased',
  'nuxt',
  'astro',
  'vitepress',
  'mintlify',
  'python',
  'python-unicode',
  'python-cased',
  'docutils',
  'kramdown',
  'markdown-it',
] as const

/** How a heading's id is made. */
export type SlugStyle = (typeof slugStyles)[number]

export interface Slugger {
  /** The id of a heading with this text, unique on the page. */
  next: (text: string) => string
  /** An id that the page sets itself. */
  reserve: (id: string) => void
}

/** One page's heading ids, in reading order. */
export function createSlugger(style: SlugStyle): Slugger {
  const used = new Map<string, number>()
  const python = style.startsWith('python')
  const first = style === 'mintlify' ? 2 : 1
  const separator = python ? '_' : '-'
  return {
    next: (text) => {
      const base = slugify(text, style)
      if (style === 'docutils' && (base === '' || used.has(base))) {
        let count = used.get('') ?? 0
        do count++
        while (used.has(`id${count}`))
        used.set('', count)
        used.set(`id${count}`, 0)
        return `id${count}`
      }
      let id = base
      if (used.has(base) || (python && base === '')) {
        let count = used.get(base) ?? first - 1
        do id = `${base}${separator}${++count}`
        while (used.has(id))
        used.set(base, count)
      }
      used.set(id, first - 1)
      return id
    },
    reserve: (id) => {
      // Only for frameworks that look at all ids of the page before they make their own.
      if (python || style === 'vitepress') used.set(id, first - 1)
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
      return vitepressSlug(text)
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

function keptByPython(text: string): string {
  return text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, '')
}

function vitepressSlug(text: string): string {
  const slug = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]|\p{Cc}/gu, '')
    .replace(/[\s\-~`!@#$%^&*()_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replace(/^-|-$/g, '')
  return (/^\d/.test(slug) ? `_${slug}` : slug).toLowerCase()
}

function mintlifySlug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("'", '’')
    .replace(/[()[\]{}<>?!,;:~"`*]/g, '')
    .replace(/[\s.-]+/g, '-')
    .replace(/^-|-$/g, '')
}

function pythonSlug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-')
}
