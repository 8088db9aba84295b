import { nearName } from './near-name.ts'
import type { Document } from './document.ts'

/** What a page is called by others. */
export interface PageTargets {
  title: string | undefined
  labels: readonly [name: string, id: string, title: string | null][]
  /** Headings, which are labels where an extension makes them that. */
  headings: readonly [name: string, id: string, title: string | null][]
  terms: readonly [term: string, id: string][]
  objects: readonly [name: string, id: string][]
}

export interface Place {
  path: string
  id: string
  title: string | undefined
}

/** The names of all pages of a site. */
export interface References {
  titleOf: (path: string) => string | undefined
  label: (name: string) => Place | undefined
  term: (name: string) => Place | undefined
  object: (name: string) => Place | undefined
  /** The name that is written almost so. */
  near: (kind: 'label' | 'term', name: string) => string | undefined
  /** No page was read, so that nothing is known. */
  isEmpty: boolean
}

const most = 5000

export function targetsOf({ title, targets, terms, objects }: Document): PageTargets {
  const named = [...targets].slice(0, most)
  const written = (isImplicit: boolean) =>
    named
      .filter(([, one]) => (one.isImplicit === true) === isImplicit)
      .map(([name, one]): [string, string, string | null] => [name, one.id, one.title ?? null])
  return {
    title,
    labels: written(false),
    headings: written(true),
    terms: terms.slice(0, most),
    objects: objects.slice(0, most),
  }
}

export function referencesOf(
  pages: ReadonlyMap<string, PageTargets>,
  { hasTitleLabels, root }: { hasTitleLabels: boolean; root: string } = { hasTitleLabels: false, root: '' },
): References {
  const labels = new Map<string, Place>()
  const terms = new Map<string, Place>()
  const objects = new Map<string, Place>()
  for (const [path, page] of hasTitleLabels ? pages : []) {
    const document = path
      .slice(root.length)
      .replace(/\.\w+$/, '')
      .toLowerCase()
    for (const [name, id, title] of page.headings)
      for (const label of [name, `${document}:${name}`])
        labels.set(label, { path, id, title: title ?? undefined })
  }
  for (const [path, page] of pages) {
    for (const [name, id, title] of page.labels) labels.set(name, { path, id, title: title ?? undefined })
    for (const [term, id] of page.terms) terms.set(term.toLowerCase(), { path, id, title: undefined })
    for (const [name, id] of page.objects)
      if (!objects.has(name)) objects.set(name, { path, id, title: undefined })
  }
  return {
    titleOf: (path) => pages.get(path)?.title,
    label: (name) => labels.get(name.replace(/\s+/g, ' ').trim().toLowerCase()),
    term: (name) => terms.get(name.replace(/\s+/g, ' ').trim().toLowerCase()),
    object: (name) => objects.get(name),
    near: (kind, name) => nearName(kind === 'label' ? labels.keys() : terms.keys(), name.toLowerCase()),
    isEmpty: pages.size === 0,
  }
}
