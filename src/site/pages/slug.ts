/** How a framework makes a heading's id. */
export type SlugStyle = 'github' | 'nuxt' | 'astro' | 'vitepress' | 'mintlify' | 'python' | 'python-unicode'

export interface Slugger {
  /** The id of a heading with this text, unique on the page. */
  next: (text: string) => string
  /** An id that the page sets itself. */
  reserve: (id: string) => void
}

/** One page's heading ids, in reading order. */
export function createSlugger(style: SlugStyle): Slugger {
  const used = new Map<string, number>()
  const python = style === 'python' || style === 'python-unicode'
  const first = style === 'mintlify' ? 2 : 1
  const separator = python ? '_' : '-'
  return {
    next: (text) => {
      const base = slugify(text, style)
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
      return pythonSlug(text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, ''))
  }
}

/**
 * Removes everything except letters, marks, digits, underscores, hyphens and spaces, and turns each space into a
 * hyphen.
 */
function githubSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{M}\p{Nd}\p{Nl}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
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
    .replace(/[()[\]{}<>?!,;"`*]/g, '')
    .replace(/[\s.-]+/g, '-')
    .replace(/^-|-$/g, '')
}

function pythonSlug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-')
}
