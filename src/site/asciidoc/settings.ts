import { folderOf, resolvePath } from '../text/paths.ts'

/** The kinds of files that Antora tells apart. */
export type Family = 'page' | 'partial' | 'example' | 'image' | 'attachment'

/** What a site says of its pages in AsciiDoc. */
export interface AsciidocSettings {
  /** Attributes that its configuration sets for a page: undefined for those that it unsets. */
  configured: (path: string) => ReadonlyMap<string, { value: string | undefined; isLocked: boolean }>
  /** Those of one page. */
  attributesOf: (path: string) => Readonly<Record<string, string>>
  /** The file that a name means on a page, whether it is there or not; undefined for one of another component. */
  fileOf: (from: string, name: string, family: Family) => string | undefined
  /** Files that pages include are named from the file that includes them, and pictures from `imagesdir`. */
  isPlain: boolean
}

/** Of pages that Asciidoctor alone reads. */
export const plainAsciidoc: AsciidocSettings = {
  configured: () => new Map(),
  attributesOf: (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.adoc$/i, '')
    return { docname: name }
  },
  fileOf: (from, name) => resolvePath(folderOf(from), name),
  isPlain: true,
}
